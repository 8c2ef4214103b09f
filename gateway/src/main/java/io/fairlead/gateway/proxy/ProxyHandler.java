package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** Forwards requests to attached clusters. On the request's event loop; never blocks. */
public final class ProxyHandler {
    private final long bodyBytesMax;
    private final String product;
    private final OpenStreams openStreams;

    /**
     * A proxy.
     *
     * @param bodyBytesMax the most that is forwarded of a request's body
     * @param product what is appended to the user agent
     * @param openStreams where open watches are noted
     */
    public ProxyHandler(long bodyBytesMax, String product, OpenStreams openStreams) {
        this.bodyBytesMax = bodyBytesMax;
        this.product = product;
        this.openStreams = openStreams;
    }

    /**
     * Forwards; the answer comes later.
     *
     * @throws StatusException for what is wrong before anything is sent
     */
    public void handle(ToAttached request, Reply reply) {
        Received received = request.described().received();
        requireNoUpgrade(request);
        if (received.contentLength() > bodyBytesMax) {
            throw new StatusException(Forwarding.tooLarge(bodyBytesMax));
        }
        HttpHeaders headers =
                UpstreamHeaders.of(received, request.user(), request.cluster().identity(), reply.auditId(), product);
        RequestHead head =
                new RequestHead(received.method(), request.target().forwarded(), headers, received.contentLength());
        Upstream.Kind kind = request.described().isLongRunning() ? Upstream.Kind.LONG_RUNNING : Upstream.Kind.SHORT;
        new Forwarding(request, reply, bodyBytesMax, openStreams).start(head, kind);
    }

    /** A watch that asks for a WebSocket gets an ordinary answer, which clients understand; the others cannot do without. */
    private static void requireNoUpgrade(ToAttached request) {
        String protocol = request.described().received().headers().get(HttpHeaderNames.UPGRADE);
        if (protocol == null
                || protocol.equalsIgnoreCase("h2c")
                || !request.described().needsUpgrade()) {
            return;
        }
        throw new StatusException(Status.withCause(
                501,
                "NotImplemented",
                "cluster \"" + request.cluster().name() + "\": the connection cannot be upgraded for "
                        + request.described().info().groupResource() + "/"
                        + request.described().info().subresource()
                        + " (expected a request without an Upgrade header; exec, attach, port-forward and upgrades by"
                        + " proxy are not offered here)",
                "UpgradeNotOffered",
                0));
    }
}
