package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.answer.UpstreamStatus;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.fairlead.model.Status;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One upgrade request: after the cluster's 101 both connections become a {@link Pipe}; any other answer is passed on,
 * and then both are closed. Earlier bytes of the client stay in its connection and are forwarded only after the 101.
 *
 * <p>Runs on the client's event loop, as the upstream's connection does.
 */
final class Upgrade {
    private final ToAttached request;
    private final Reply reply;
    private final OpenStreams openUpgrades;
    private @Nullable Exchange attempt;

    Upgrade(ToAttached request, Reply reply, OpenStreams openUpgrades) {
        this.request = request;
        this.reply = reply;
        this.openUpgrades = openUpgrades;
    }

    void start(RequestHead head) {
        reply.receive(new Up());
        if (!reply.isOver()) { // otherwise the client left during the review of its request
            String protocols = request.described().received().upgrade();
            attempt = request.backend().upstream().upgrade(head, protocols, reply.eventLoop(), new Down());
        }
    }

    private void giveUp() {
        Exchange asked = attempt;
        if (asked != null) {
            asked.cancel();
        }
    }

    private void join(RawConnection client, RawConnection upstream) {
        reply.waitForReader();
        Pipe pipe = new Pipe(client, upstream, reply::wroteToConnection, openUpgrades::remove);
        openUpgrades.add(pipe);
        pipe.open();
    }

    private Status redirected(int status) {
        return Status.withCause(
                502,
                "BadGateway",
                "cluster \"" + request.cluster().name() + "\": answered an upgrade with the redirect " + status
                        + " (expected a 101 or a refusal)",
                "UpgradeRedirected",
                0);
    }

    /** Receives the client's departure; there is no body. */
    private final class Up implements RequestListener {
        @Override
        public void onData(ByteBuf data) {
            data.release();
        }

        @Override
        public void onEnd() {}

        @Override
        public void onWritable() {
            Exchange asked = attempt;
            if (asked != null) {
                asked.reading(true);
            }
        }

        @Override
        public void onGone() {
            giveUp();
        }
    }

    /** The cluster's answer. */
    private final class Down implements UpgradeReceiver {
        @Override
        public void onSwitched(String protocol, MutableFields headers, RawConnection upstream) {
            OriginHeaders.drop(headers);
            join(reply.switchProtocols(protocol, headers), upstream);
        }

        @Override
        public void onHead(int status, MutableFields headers) {
            if (status >= 300 && status < 400) {
                giveUp();
                reply.status(redirected(status));
                return;
            }
            if (RefusedCredential.isTold(status, request)) {
                giveUp();
                reply.status(UpstreamStatus.credentialRefused(request.cluster().name()));
                return;
            }
            OriginHeaders.drop(headers);
            Sandbox.around(request, headers);
            reply.head(status, headers, false);
        }

        @Override
        public void onData(ByteBuf data) {
            reply.data(data);
            Exchange asked = attempt;
            if (!reply.isWritable() && asked != null) {
                asked.reading(false);
            }
        }

        @Override
        public void onEnd() {
            reply.end();
        }

        @Override
        public void onFailure(UpstreamFailure failure) {
            reply.status(ProxyHandler.status(request, failure));
        }
    }
}
