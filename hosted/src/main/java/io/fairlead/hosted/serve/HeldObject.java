package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiResponse;
import org.jspecify.annotations.Nullable;

/**
 * One large object on its way to a client, counted like a list until it is written: a client that reads nothing may ask for it on
 * hundreds of streams.
 *
 * <p>Threads: one reads; any may close.
 */
final class HeldObject implements ApiResponse.Frames {
    private final AnswerHold hold;
    private byte @Nullable [] body;

    private HeldObject(byte[] body, AnswerHold hold) {
        this.body = body;
        this.hold = hold;
    }

    /**
     * An object that has found room.
     *
     * @throws io.fairlead.model.StatusException 429 if there is none in time
     */
    static HeldObject of(byte[] body, AnswerHold hold) throws InterruptedException {
        boolean found = false;
        try {
            hold.require(body.length);
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
