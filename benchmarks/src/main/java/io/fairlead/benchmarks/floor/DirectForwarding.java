package io.fairlead.benchmarks.floor;

import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to the server, and its answer on the way back; each with back-pressure.
 *
 * <p>Threads: the event loop of the client, where the exchange with the server is too.
 */
final class DirectForwarding {
    private final ClientStream client;
    private final boolean hasBody;
    private @Nullable Exchange exchange;
    private boolean over;

    private DirectForwarding(ClientStream client, boolean hasBody) {
        this.client = client;
        this.hasBody = hasBody;
    }

    /** Sends a request; what follows are callbacks. */
    static void begin(Received request, ClientStream client, Upstream upstream) {
        DirectForwarding forwarding = new DirectForwarding(client, request.contentLength() != 0);
        client.receive(forwarding.new Up());
        if (forwarding.over) { // The client has left.
            return;
        }
        RequestHead head = new RequestHead(
                request.method(), request.target(), request.headers().toFields(), request.contentLength());
        forwarding.exchange = upstream.send(head, kind(request.target()), client.eventLoop(), forwarding.new Down());
        client.read();
    }

    private static Upstream.Kind kind(String target) {
        return target.contains("watch=1") ? Upstream.Kind.LONG_RUNNING : Upstream.Kind.SHORT;
    }

    /** The request's body and the client's departure. */
    private final class Up implements RequestListener {
        @Override
        public void onData(ByteBuf data) {
            Exchange upstream = exchange;
            if (over || upstream == null) {
                data.release();
                return;
            }
            upstream.write(data);
            if (upstream.isWritable()) {
                client.read();
            }
        }

        @Override
        public void onEnd() {
            Exchange upstream = exchange;
            if (hasBody && !over && upstream != null) {
                upstream.end();
            }
        }

        @Override
        public void onWritable() {
            Exchange upstream = exchange;
            if (!over && upstream != null) {
                upstream.reading(true);
            }
        }

        @Override
        public void onGone() {
            over = true;
            Exchange upstream = exchange;
            if (upstream != null) {
                upstream.cancel();
            }
        }
    }

    /** The answer. */
    private final class Down implements ResponseReceiver {
        @Override
        public void onHead(int status, MutableFields headers) {
            if (!over) {
                client.head(status, headers, false);
            }
        }

        @Override
        public void onData(ByteBuf data) {
            if (over) {
                data.release();
                return;
            }
            client.data(data);
            Exchange upstream = exchange;
            if (!client.isWritable() && upstream != null) {
                upstream.reading(false);
            }
        }

        @Override
        public void onEnd() {
            if (!over) {
                over = true;
                client.end();
            }
        }

        @Override
        public void onFailure(UpstreamFailure failure) {
            if (!over) {
                over = true;
                client.abort();
            }
        }

        @Override
        public void onWritabilityChanged(boolean writable) {
            if (writable && !over) {
                client.read();
            }
        }
    }
}
