package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.objects.Work;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One object of an answer. A large one is counted like a list until it is written: a client that reads nothing may request it on
 * hundreds of streams.
 *
 * <p>Threads: one makes and reads; any may close.
 */
final class HeldObject implements ApiResponse.Frames {
    private static final byte[] NOTHING = new byte[0];

    private final Supplier<byte[]> made;
    private final Work work;
    private byte[] body;
    private boolean isRead;
    private @Nullable AnswerHold hold;

    /**
     * Makes the object.
     *
     * @param made makes it, again after a wait for room
     * @param work in which it is made
     */
    HeldObject(Supplier<byte[]> made, Work work) {
        this.made = made;
        this.work = work;
        this.body = made.get();
        work.keepsOnly(body.length);
    }

    @Override
    public byte[] whole() {
        return body;
    }

    /**
     * Has it counted. While it does not fit, it is not kept but made again later.
     *
     * @param newHold for its bytes; the object's from here on
     * @throws io.fairlead.model.StatusException 429 if there is no room in time
     */
    void awaitRoom(AnswerHold newHold) throws InterruptedException {
        hold = newHold;
        boolean found = false;
        try {
            while (!newHold.tryRequire(body.length)) {
                int bytes = body.length;
                body = NOTHING;
                work.keepsOnly(0);
                newHold.require(bytes, 0);
                body = made.get();
                work.keepsOnly(body.length);
            }
            found = true;
        } finally {
            if (!found) {
                newHold.close();
            }
        }
    }

    @Override
    public byte @Nullable [] next() {
        byte[] whole = isRead ? null : body;
        isRead = true;
        body = NOTHING;
        return whole;
    }

    @Override
    public void close() {
        AnswerHold held = hold;
        if (held != null) {
            held.close();
        }
    }
}
