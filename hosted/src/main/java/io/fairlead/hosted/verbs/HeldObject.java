package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One large object of an answer, counted like a list until it is written: a client that reads nothing may request it on
 * hundreds of streams.
 *
 * <p>Threads: one reads; any may close.
 */
final class HeldObject implements ApiResponse.Frames {
    private static final byte[] NOTHING = new byte[0];

    private final AnswerHold hold;
    private byte @Nullable [] body;

    private HeldObject(byte[] body, AnswerHold hold) {
        this.hold = hold;
        this.body = body;
    }

    /**
     * An object that fits. While it does not fit, it is not kept but read again later.
     *
     * @param hold its bytes; owned by the object from here on
     * @throws io.fairlead.model.StatusException 429 if there is no room in time
     */
    static HeldObject of(byte[] made, Supplier<byte[]> anew, AnswerHold hold) throws InterruptedException {
        byte[] body = made;
        boolean found = false;
        try {
            while (!hold.tryRequire(body.length)) {
                int bytes = body.length;
                body = NOTHING;
                hold.require(bytes);
                body = anew.get();
            }
            found = true;
        } finally {
            if (!found) {
                hold.close();
            }
        }
        return new HeldObject(body, hold);
    }

    @Override
    public byte @Nullable [] next() {
        byte[] whole = body;
        body = null;
        return whole;
    }

    @Override
    public void close() {
        hold.close();
    }
}
