package io.fairlead.http.h2;

import io.fairlead.http.FieldRules;

/**
 * What a request begins with (RFC 9113 section 8.3.1); the scheme is https.
 *
 * @param path the path and the query, as they are sent
 */
public record RequestLine(String method, String authority, String path) {
    /** @throws IllegalArgumentException if the method or the path would be read as something else behind the server */
    public RequestLine {
        FieldRules.requireVisible(method);
        FieldRules.requireVisible(path);
    }
}
