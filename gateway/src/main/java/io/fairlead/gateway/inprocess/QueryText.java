package io.fairlead.gateway.inprocess;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A raw query as its decoded parameters, read as Go's {@code url.ParseQuery} does. */
public final class QueryText {
    private QueryText() {}

    /** Every pair that can be read, in order; a pair with a {@code ;} or a bad escape is left out. */
    public static Map<String, List<String>> parameters(String query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (!pair.isEmpty() && pair.indexOf(';') < 0) {
                add(parameters, pair);
            }
        }
        return parameters;
    }

    private static void add(Map<String, List<String>> parameters, String pair) {
        int equalsSign = pair.indexOf('=');
        try {
            String key = decode(equalsSign < 0 ? pair : pair.substring(0, equalsSign));
            String value = equalsSign < 0 ? "" : decode(pair.substring(equalsSign + 1));
            parameters.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(value);
        } catch (IllegalArgumentException e) {
            // A bad escape: the pair is not there, as for Go.
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
