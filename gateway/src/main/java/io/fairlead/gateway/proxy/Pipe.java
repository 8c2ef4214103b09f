package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Two connected upgraded connections: bytes from either go to the other, with back-pressure. An end of input ends only
 * that direction, a loss ends both.
 *
 * <p>Both connections are on one event loop, and everything runs there.
 */
final class Pipe implements OpenStreams.Stream {
    private final RawConnection client;
    private final RawConnection upstream;
    private final Runnable wroteToClient;
    private final Consumer<Pipe> whenOver;
    private int closed;

    /**
     * A pipe that does not run yet.
     *
     * @param wroteToClient called when something was, so that what it does not read is counted
     * @param whenOver called when both connections are closed
     */
    Pipe(RawConnection client, RawConnection upstream, Runnable wroteToClient, Consumer<Pipe> whenOver) {
        if (!client.eventLoop().equals(upstream.eventLoop())) {
            throw new IllegalArgumentException("upstream: on another event loop than its client");
        }
        this.client = client;
        this.upstream = upstream;
        this.wroteToClient = wroteToClient;
        this.whenOver = whenOver;
    }

    void open() {
        client.whenClosed(this::closed);
        upstream.whenClosed(this::closed);
        client.listen(new Flow(client, upstream, () -> {}));
        upstream.listen(new Flow(upstream, client, wroteToClient));
    }

    /** Ends both cleanly, after all writes. */
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
    private record Flow(RawConnection from, RawConnection to, Runnable wrote) implements RawConnection.Listener {
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
            wrote.run();
        }

        @Override
        public void onEnd() {
            to.end();
        }

        /** Room for the opposite direction. */
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
