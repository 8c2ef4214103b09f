package io.fairlead.clustersync.fabric8;

import org.jspecify.annotations.Nullable;

/**
 * A query parameter of this package's client, which needs no decoding.
 *
 * @param name its name
 */
record QueryParameter(String name) {
    /** Its value in a query; empty if it has none. */
    String of(@Nullable String query) {
        if (query != null) {
            for (String field : query.split("&", -1)) {
                if (field.startsWith(name + "=")) {
                    return field.substring(name.length() + 1);
                }
            }
        }
        return "";
    }

    /** A URI with another value of the parameter in its query. */
    String replace(String uri, String value, String by) {
        int query = uri.indexOf('?') + 1;
        String field = name + "=" + value;
        for (int at = uri.indexOf(field, query); at > 0; at = uri.indexOf(field, at + 1)) {
            int end = at + field.length();
            boolean begins = at == query || uri.charAt(at - 1) == '&';
            if (begins && (end == uri.length() || uri.charAt(end) == '&')) {
                return uri.substring(0, at) + name + "=" + by + uri.substring(end);
            }
        }
        return uri;
    }
}
