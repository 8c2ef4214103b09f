package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Two upgraded connections as one: what comes from either goes to the other, as fast as that takes it. An end goes on as
 * an end of that direction alone, a loss as a loss of both.
 *
 * <p>Both connections are of one event loop, and everything happens there.
 */
final class Pipe implements OpenStreams.Stream {
    private final RawConnection client;
    private final RawConnection upstream;
    private final Consumer<Pipe> whenOver;
    private int closed;

    /** One that does not flow yet; it tells when both connections are closed. */
    Pipe(RawConnection client, RawConnection upstream, Consumer<Pipe> whenOver) {
        if (!client.eventLoop().equals(upstream.eventLoop())) {
            throw new IllegalArgumentException("upstream: on another event loop than its client");
        }
        this.client = client;
        this.upstream = upstream;
        this.whenOver = whenOver;
    }

    void open() {
        client.whenClosed(this::closed);
        upstream.whenClosed(this::closed);
        client.listen(new Flow(client, upstream));
        upstream.listen(new Flow(upstream, client));
    }

    /** Ends both cleanly, after what was written to them. */
    @Override
    public void endSoon() {
        client.eventLoop().execute(() -> {
            client.close();
            upstream.close();
        });
    }

    private void closed() {
        closed++;
        if (closed == 2) {
            whenOver.accept(this);
        }
    }

    /** One direction. */
    private record Flow(RawConnection from, RawConnection to) implements RawConnection.Listener {
        @Override
        public void onData(ByteBuf data) {
            to.write(data);
            if (!to.isWritable()) {
                from.reading(false);
            }
        }

        @Override
        public void onPause() {
            to.flush();
        }

        @Override
        public void onEnd() {
            to.end();
        }

        /** Room for what comes the other way. */
        @Override
        public void onWritable() {
            to.reading(true);
        }

        @Override
        public void onLost() {
            to.abort();
        }
    }
}
