package io.fairlead.http;

/**
 * What requests keep to, in HTTP/1.1 and HTTP/2 alike, and what the client of one that does not is answered.
 *
 * <p>Nothing of that request is handed on. Behind the answer, or in its place if one was begun, a connection of HTTP/1.1
 * is closed, since it is not known where the next request begins; of HTTP/2 the stream ends, by a reset if its client has
 * not ended it. Frames have rules of their own, whose breaches are an {@link io.fairlead.http.h2.ErrorCode}.
 */
public enum Rule {
    LINE_END(400, "BadRequest", "RFC 9112 section 2.2"),
    REQUEST_LINE(400, "BadRequest", "RFC 9112 section 3"),
    VERSION(505, "HTTPVersionNotSupported", "RFC 9110 section 15.6.6"),
    METHOD(400, "BadRequest", "RFC 9110 section 9.1"),
    SCHEME(400, "BadRequest", "RFC 9113 section 8.3.1"),
    TARGET(400, "BadRequest", "RFC 9112 section 3.2.1, RFC 3986 section 2"),
    TARGET_BYTES(414, "RequestURITooLong", "RFC 9110 section 15.5.15"),
    HOST(400, "BadRequest", "RFC 9110 section 7.2, RFC 9112 section 3.2, RFC 9113 section 8.3.1"),
    FIELD(400, "BadRequest", "RFC 9110 section 5, RFC 9112 section 5, RFC 9113 section 8.2.1"),
    FIELDS(431, "RequestHeaderFieldsTooLarge", "RFC 6585 section 5"),
    FIELD_BYTES(431, "RequestHeaderFieldsTooLarge", "RFC 6585 section 5"),
    CONTENT_LENGTH(400, "BadRequest", "RFC 9110 section 8.6"),
    TRANSFER_ENCODING(400, "BadRequest", "RFC 9112 section 6.1"),
    ONE_FRAMING(400, "BadRequest", "RFC 9112 section 6.3"),
    NO_BODY(400, "BadRequest", "RFC 9110 sections 7.8, 9.3.1 and 9.3.2, RFC 9113 section 8.1.1"),
    EXPECTATION(417, "ExpectationFailed", "RFC 9110 section 10.1.1"),
    CHUNK(400, "BadRequest", "RFC 9112 section 7.1"),
    TRAILER(400, "BadRequest", "RFC 9112 section 7.1.2"),
    TRAILER_BYTES(431, "RequestHeaderFieldsTooLarge", "RFC 6585 section 5"),
    HEAD_TIME(408, "RequestTimeout", "RFC 9110 section 15.5.9"),
    BODY_PACE(408, "RequestTimeout", "RFC 9110 section 15.5.9"),

    /** Of what is no request: answers, compressed fields, WebSockets. Its sender gets no answer. */
    NO_REQUEST(400, "BadRequest", "RFC 9112 section 4, RFC 7541, RFC 6455");

    private final int status;
    private final String reason;
    private final String source;

    Rule(int status, String reason, String source) {
        this.status = status;
        this.reason = reason;
        this.source = source;
    }

    public int status() {
        return status;
    }

    /** The {@code reason} of the Kubernetes {@code Status}. */
    public String reason() {
        return reason;
    }

    /** Where it comes from. */
    public String source() {
        return source;
    }
}
