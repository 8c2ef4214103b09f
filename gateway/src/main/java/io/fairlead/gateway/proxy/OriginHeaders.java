package io.fairlead.gateway.proxy;

import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import java.util.List;

/**
 * Headers of a cluster's answer that apply to the whole origin, or only to this hop. Addressed by path, all clusters
 * share one origin, the gateway's: such a header of one cluster would affect the pages, connections and cookies of all.
 */
final class OriginHeaders {
    private static final String CROSS_ORIGIN_PREFIX = "access-control-";

    private static final List<FieldName> OF_THE_ORIGIN = List.of(
            FieldName.SET_COOKIE,
            FieldName.SET_COOKIE2,
            FieldName.of("strict-transport-security"),
            FieldName.of("alt-svc"),
            FieldName.of("clear-site-data"),
            FieldName.of("refresh"),
            FieldName.of("service-worker-allowed"),
            FieldName.of("origin-agent-cluster"),
            FieldName.of("accept-ch"),
            FieldName.of("nel"),
            FieldName.of("report-to"),
            FieldName.of("timing-allow-origin"),
            FieldName.of("public-key-pins"),
            FieldName.PROXY_AUTHENTICATE,
            FieldName.of("proxy-authentication-info"));

    private OriginHeaders() {}

    /** Drops them; headers about the answer itself stay. */
    static void drop(MutableFields answer) {
        for (FieldName name : OF_THE_ORIGIN) {
            answer.remove(name);
        }
        answer.removeBeginningWith(CROSS_ORIGIN_PREFIX);
    }
}
