package io.fairlead.gateway.listen;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;

/**
 * The head of a request whose framing is beyond doubt; only this package makes one.
 *
 * <p>The target is in origin form, ASCII, without fragment, backslash or bad percent escape. There is one valid host at
 * most, and one framing.
 */
public final class Received {
    /** The length of a body that is only known when it ends. */
    public static final long LENGTH_UNKNOWN = -1;

    private final Peer peer;
    private final HttpMethod method;
    private final String target;
    private final HttpHeaders headers;
    private final long contentLength;
    private final String upgrade;

    Received(Peer peer, HttpMethod method, String target, HttpHeaders headers, long contentLength, String upgrade) {
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

    /** All header fields as received; those that selected the cluster are gone once it is selected. */
    public HttpHeaders headers() {
        return headers;
    }

    /** The body's length in bytes, 0 for none, {@link #LENGTH_UNKNOWN}. */
    public long contentLength() {
        return contentLength;
    }

    /** The protocols that the client offers to go on with, as {@code Upgrade} lists them; empty if none, as over HTTP/2. */
    public String upgrade() {
        return upgrade;
    }
}
