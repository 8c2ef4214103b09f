package io.fairlead.http.h2;

/**
 * What a request begins with (RFC 9113 section 8.3.1); the scheme is https.
 *
 * @param path the path and the query, as they are sent
 */
public record RequestLine(String method, String authority, String path) {}
