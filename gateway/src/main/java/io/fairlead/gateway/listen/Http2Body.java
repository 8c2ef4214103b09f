package io.fairlead.gateway.listen;

import io.fairlead.http.Pieces;
import io.netty.buffer.ByteBuf;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body over HTTP/2, between what came and what is asked for. The stream's window bounds what waits here.
 *
 * <pre>
 * HELD           - a piece is asked for -> DEMANDED
 * DEMANDED       - a piece is handed over -> HELD
 * HELD, DEMANDED - the end came, and nothing waits before it -> COMPLETE
 * COMPLETE       - the listener is told -> TOLD      at once if there is one, else when it asks
 * </pre>
 */
final class Http2Body {
    private enum State {
        HELD,
        DEMANDED,
        COMPLETE,
        TOLD
    }

    private final IntConsumer onTaken;
    private final Pieces pieces = new Pieces();
    private @Nullable RequestListener listener;
    private State state = State.HELD;
    private boolean ended;
    private boolean handingOver;

    /** @param onTaken the bytes of a piece that waits no more */
    Http2Body(IntConsumer onTaken) {
        this.onTaken = onTaken;
    }

    void receive(RequestListener newListener) {
        listener = newListener;
    }

    /** Null before there is one, and once it is to hear nothing more. */
    @Nullable
    RequestListener listener() {
        return listener;
    }

    /** A piece came; takes ownership. */
    void came(ByteBuf piece) {
        pieces.add(piece);
        handOver();
    }

    /** The end of the stream came. */
    void ended() {
        ended = true;
        handOver();
    }

    /** Whether the end of the stream came. */
    boolean hasEnded() {
        return ended;
    }

    /** Asks for one more piece; whether it is still to come. */
    boolean demand() {
        if (state == State.HELD) {
            state = State.DEMANDED;
        }
        handOver();
        return state == State.DEMANDED;
    }

    /** The listener hears nothing more, and what waits is dropped. */
    void drop() {
        listener = null;
        for (ByteBuf piece = take(); piece != null; piece = take()) {
            piece.release();
        }
    }

    /** Hands over as much as is asked for; a listener that asks at once is called here, not from within itself. */
    private void handOver() {
        if (handingOver) {
            return;
        }
        handingOver = true;
        try {
            RequestListener hearing = listener;
            while (state == State.DEMANDED && hearing != null) {
                ByteBuf piece = take();
                if (piece == null) {
                    break;
                }
                state = State.HELD;
                hearing.onData(piece);
                hearing = listener;
            }
        } finally {
            handingOver = false;
        }
        tellEnd();
    }

    private void tellEnd() {
        if (ended && pieces.isEmpty() && state != State.TOLD) {
            state = State.COMPLETE;
        }
        RequestListener hearing = listener;
        if (state == State.COMPLETE && hearing != null) {
            state = State.TOLD;
            hearing.onEnd();
        }
    }

    private @Nullable ByteBuf take() {
        ByteBuf piece = pieces.poll();
        if (piece != null) {
            onTaken.accept(piece.readableBytes());
        }
        return piece;
    }
}
