package io.fairlead.gateway.listen;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MessageRules;
import io.fairlead.http.MutableFields;

/**
 * The head of a request with unambiguous framing; only this package makes one.
 *
 * <p>The target is in origin form, ASCII, without fragment, backslash or bad percent escape. There is at most one host,
 * which is valid, and one framing.
 */
public final class Received {
    /** The length of a body that is unknown until its end. */
    public static final long LENGTH_UNKNOWN = MessageRules.LENGTH_UNKNOWN;

    private static final int BYTES_BESIDE_HEAD = 1024;

    private final Peer peer;
    private final HttpMethod method;
    private final String target;
    private final MutableFields headers;
    private final long contentLength;
    private final String upgrade;

    Received(Peer peer, HttpMethod method, String target, MutableFields headers, long contentLength, String upgrade) {
        this.peer = peer;
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.contentLength = contentLength;
        this.upgrade = upgrade;
    }

    public Peer peer() {
        return peer;
    }

    public HttpMethod method() {
        return method;
    }

    /** Path and query as received. */
    public String target() {
        return target;
    }

    /** All header fields as received; those that select the cluster are removed after the selection. */
    public MutableFields headers() {
        return headers;
    }

    /** About what a request that waits keeps in the heap: its head, and what the stages made that it has passed. */
    public int heldBytes() {
        return headBytes() + BYTES_BESIDE_HEAD;
    }

    /** The length of its head. */
    public int headBytes() {
        return target.length() + headers.length();
    }

    /** The body's length in bytes, 0 for none, {@link #LENGTH_UNKNOWN}. */
    public long contentLength() {
        return contentLength;
    }

    /** The protocols that the client offers in {@code Upgrade}; empty if none, as over HTTP/2. */
    public String upgrade() {
        return upgrade;
    }
}
