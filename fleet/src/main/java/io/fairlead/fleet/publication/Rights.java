package io.fairlead.fleet.publication;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;

/** What a target's RBAC must grant Fairlead's credential. */
final class Rights {
    private Rights() {}

    /** The rule for a request, as a Role has it. */
    static String granting(String verb, String path) {
        RequestInfo info = RequestInfoParser.parse("GET", path, "");
        return "a rule {apiGroups: [\"" + info.group() + "\"], resources: [\"" + info.resource() + "\"], verbs: [\""
                + verb + "\"]}";
    }
}
