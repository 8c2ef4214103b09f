package io.fairlead.gateway.proxy;

import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;

/** The headers of an attached cluster's answer as its client gets them. */
final class AnswerHeaders {
    private AnswerHeaders() {}

    static void adapt(MutableFields headers, ToAttached answered) {
        String location = headers.get(FieldName.LOCATION);
        if (location != null) {
            Locations.rewritten(location, answered)
                    .ifPresentOrElse(
                            own -> headers.set(FieldName.LOCATION, own), () -> headers.remove(FieldName.LOCATION));
        }
        OriginHeaders.drop(headers);
        Sandbox.around(answered, headers);
    }
}
