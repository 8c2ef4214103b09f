package io.fairlead.gateway.proxy;

import io.fairlead.config.LimitSettings;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Origin;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.UpstreamStatus;
import io.fairlead.gateway.guard.WatchGuards;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.Pinned;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Sender;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;

/** Forwards requests to attached clusters. On the request's event loop; never blocks. */
public final class ProxyHandler {
    private final long bodyBytesMax;
    private final UpstreamHeaders upstreamHeaders;
    private final OpenStreams openStreams;
    private final OpenStreams openUpgrades;
    private final WatchGuards guards;

    /**
     * A proxy.
     *
     * @param limits of which the most that is forwarded of a request's body counts here
     * @param product what is appended to the user agent
     * @param openStreams registers open watches
     * @param openUpgrades registers upgraded connections
     * @param guards makes the guards of watches
     */
    public ProxyHandler(
            LimitSettings limits,
            String product,
            OpenStreams openStreams,
            OpenStreams openUpgrades,
            WatchGuards guards) {
        this.bodyBytesMax = limits.proxiedBodyBytesMax().bytes();
        this.upstreamHeaders = new UpstreamHeaders(product);
        this.openStreams = openStreams;
        this.openUpgrades = openUpgrades;
        this.guards = guards;
    }

    /**
     * Forwards; the answer arrives later.
     *
     * @param rights checked again if the body takes long
     * @throws StatusException for errors before anything is sent
     */
    public void handle(Pinned<ToAttached> pinned, StandingRights rights, Reply reply) {
        ToAttached request = pinned.request();
        HeldWrites.requireNone(request);
        reply.witness().forwarded(request.backend().identity());
        pinned.tell(reply);
        if (request.described().offersUpgrade() && !request.leadsToCrdRuntime()) { // Custom resources have no upgrades.
            upgrade(request, reply);
            return;
        }
        if (request.described().isWatchByWebSocket()) {
            reply.takeWebSocket(request.described().received());
        }
        forward(request, rights, reply);
    }

    private void forward(ToAttached request, StandingRights rights, Reply reply) {
        Received received = request.described().received();
        if (received.contentLength() > bodyBytesMax) {
            throw new StatusException(tooLarge(bodyBytesMax));
        }
        new Forwarding(request, rights, reply, bodyBytesMax, openStreams, guards)
                .start(request.backend().upstream(), head(request, "", reply), kind(request.described()));
    }

    private static Upstream.Kind kind(Described request) {
        if (request.isLongRunning()) {
            return Upstream.Kind.LONG_RUNNING;
        }
        return request.info().verb().equals("list") ? Upstream.Kind.LIST : Upstream.Kind.SHORT;
    }

    private void upgrade(ToAttached request, Reply reply) {
        Received received = request.described().received();
        Origin.requireOwn(received);
        RequestHead head = head(request, received.upgrade(), reply);
        new Upgrade(request, reply, openUpgrades).start(head);
    }

    private RequestHead head(ToAttached request, String upgrade, Reply reply) {
        Received received = request.described().received();
        MutableFields headers = upstreamHeaders.of(request, upgrade, reply.auditId());
        if (request.described().isWatchByWebSocket()) {
            headers.remove(FieldName.ACCEPT_ENCODING); // A message has no Content-Encoding.
        }
        reply.trace().forwards(headers);
        return new RequestHead(
                received.method(),
                request.target().forwarded(),
                headers.toFields(),
                received.contentLength(),
                sender(request.backend().identity()),
                request.backend().pinned());
    }

    /** So that the head goes over no connection whose servers would not understand whom it names. */
    private static Sender sender(UpstreamIdentity identity) {
        return switch (identity) {
            case UpstreamIdentity.Impersonate _ -> Sender.IMPERSONATING;
            case UpstreamIdentity.RequestHeader _ -> Sender.FRONT_PROXY;
            case UpstreamIdentity.Aggregated _ -> Sender.AGGREGATING;
            case UpstreamIdentity.Passthrough _ -> Sender.CALLER;
        };
    }

    static Status tooLarge(long bodyBytesMax) {
        return Status.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + bodyBytesMax);
    }

    /** What a client gets for a request that its cluster did not answer. */
    static Status status(ToAttached request, UpstreamFailure failure) {
        ClusterName cluster = request.cluster().name();
        if (request.leadsToBackend()) {
            return UpstreamStatus.ofBackend(cluster, failure);
        }
        return request.leadsToCrdRuntime()
                ? UpstreamStatus.ofCrdRuntime(cluster, failure)
                : UpstreamStatus.of(cluster, failure);
    }
}
