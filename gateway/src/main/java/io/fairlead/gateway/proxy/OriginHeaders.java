package io.fairlead.gateway.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Headers of a cluster's answer that apply to the whole origin, or only to this hop. Addressed by path, all clusters
 * share one origin, the gateway's: such a header of one cluster would affect the pages, connections and cookies of all.
 */
final class OriginHeaders {
    private static final String CROSS_ORIGIN_PREFIX = "access-control-";

    private static final List<CharSequence> OF_THE_ORIGIN = List.of(
            HttpHeaderNames.SET_COOKIE,
            HttpHeaderNames.SET_COOKIE2,
            AsciiString.cached("strict-transport-security"),
            AsciiString.cached("alt-svc"),
            AsciiString.cached("clear-site-data"),
            AsciiString.cached("refresh"),
            AsciiString.cached("service-worker-allowed"),
            AsciiString.cached("origin-agent-cluster"),
            AsciiString.cached("accept-ch"),
            AsciiString.cached("nel"),
            AsciiString.cached("report-to"),
            AsciiString.cached("timing-allow-origin"),
            AsciiString.cached("public-key-pins"),
            HttpHeaderNames.PROXY_AUTHENTICATE,
            AsciiString.cached("proxy-authentication-info"));

    private OriginHeaders() {}

    /** Drops them; headers about the answer itself stay. */
    static void drop(HttpHeaders answer) {
        for (CharSequence name : OF_THE_ORIGIN) {
            answer.remove(name);
        }
        for (CharSequence name : crossOrigin(answer)) {
            answer.remove(name);
        }
    }

    /** The iterator does not support removal. */
    private static List<CharSequence> crossOrigin(HttpHeaders answer) {
        List<CharSequence> names = List.of();
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = answer.iteratorCharSequence();
        while (fields.hasNext()) {
            CharSequence name = fields.next().getKey();
            if (isCrossOrigin(name)) {
                names = names.isEmpty() ? new ArrayList<>() : names;
                names.add(name);
            }
        }
        return names;
    }

    private static boolean isCrossOrigin(CharSequence name) {
        return name.length() >= CROSS_ORIGIN_PREFIX.length()
                && AsciiString.regionMatches(name, true, 0, CROSS_ORIGIN_PREFIX, 0, CROSS_ORIGIN_PREFIX.length());
    }
}
