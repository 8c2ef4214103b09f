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
}
