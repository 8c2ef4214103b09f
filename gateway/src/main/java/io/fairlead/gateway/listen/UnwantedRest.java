package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The rest of a request's body after a complete answer: a little of it is read and dropped, since some clients read the
 * answer only after they have sent everything. On the stream's event loop.
 */
final class UnwantedRest {
    private static final int BYTES_MAX = 256 * 1024;
    private static final int SECONDS_MAX = 1;

    private final Runnable onTooMuch;
    private final Future<?> timeout;
    private long dropped;

    /** Calls back once if the rest exceeds its bounds. */
    UnwantedRest(EventExecutor loop, Runnable onTooMuch) {
        this.onTooMuch = onTooMuch;
        this.timeout = loop.schedule(onTooMuch, SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** Takes ownership of a piece. */
    void drop(ByteBuf piece, boolean last) {
        dropped += piece.readableBytes();
        piece.release();
        if (last) {
            stop();
        } else if (dropped > BYTES_MAX && timeout.cancel(false)) {
            onTooMuch.run();
        }
    }

    void stop() {
        timeout.cancel(false);
    }
}
