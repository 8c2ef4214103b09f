package io.fairlead.http;

import org.jspecify.annotations.Nullable;

/**
 * The method of a request (RFC 9110 section 9, and RFC 5789 for PATCH). Case counts.
 *
 * @param name a token
 */
public record HttpMethod(String name) {
    public static final HttpMethod CONNECT = new HttpMethod("CONNECT");
    public static final HttpMethod DELETE = new HttpMethod("DELETE");
    public static final HttpMethod GET = new HttpMethod("GET");
    public static final HttpMethod HEAD = new HttpMethod("HEAD");
    public static final HttpMethod OPTIONS = new HttpMethod("OPTIONS");
    public static final HttpMethod PATCH = new HttpMethod("PATCH");
    public static final HttpMethod POST = new HttpMethod("POST");
    public static final HttpMethod PUT = new HttpMethod("PUT");
    public static final HttpMethod TRACE = new HttpMethod("TRACE");

    /** @throws IllegalArgumentException if the name is no token */
    public HttpMethod {
        if (!FieldRules.isToken(name)) {
            throw new IllegalArgumentException("method: expected a token");
        }
    }

    /**
     * The constant if there is one.
     *
     * @throws IllegalArgumentException if the name is no token
     */
    public static HttpMethod of(String name) {
        return switch (name) {
            case "CONNECT" -> CONNECT;
            case "DELETE" -> DELETE;
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "OPTIONS" -> OPTIONS;
            case "PATCH" -> PATCH;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "TRACE" -> TRACE;
            default -> new HttpMethod(name);
        };
    }

    /** Every request is compared with several. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof HttpMethod method && name.equals(method.name));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** As it is written. */
    @Override
    public String toString() {
        return name;
    }
}
