package io.fairlead.gateway.proxy;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.MutableFields;

/**
 * Headers of a cluster's answer that apply to the whole origin, or only to this hop, or that seem to be Fairlead's own. Addressed by
 * path, all clusters share one origin, the gateway's: such a header of one cluster would affect the pages, connections and cookies of
 * all.
 */
final class OriginHeaders {
    private static final FieldName[] PREFIXES = {
        FieldName.of("access-control-"), FieldName.of("fairlead-"), FieldName.of("x-fairlead-")
    };

    private static final FieldNames OF_THE_ORIGIN = FieldNames.of(
            "set-cookie",
            "set-cookie2",
            "strict-transport-security",
            "alt-svc",
            "clear-site-data",
            "refresh",
            "service-worker-allowed",
            "origin-agent-cluster",
            "accept-ch",
            "nel",
            "report-to",
            "timing-allow-origin",
            "public-key-pins",
            "proxy-authenticate",
            "proxy-authentication-info");

    private OriginHeaders() {}

    /** Drops them; headers about the answer itself stay. */
    static void drop(MutableFields answer) {
        answer.removeAll(OF_THE_ORIGIN);
        answer.removeBeginningWith(PREFIXES);
    }
}
