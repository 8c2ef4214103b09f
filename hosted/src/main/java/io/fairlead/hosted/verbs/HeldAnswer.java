package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.objects.Work;
import io.fairlead.model.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * A large answer to what is done already, which cannot be refused any more: until there is room for it among the answers it stays
 * counted as work.
 *
 * <p>Threads: one reads; any may close.
 */
final class HeldAnswer implements ApiResponse.Frames {
    private final AnswerHold hold;
    private final Work work;
    private byte @Nullable [] body;

    /**
     * An answer.
     *
     * @param hold for its bytes
     * @param work in which it was made; both are the answer's from here on
     */
    HeldAnswer(byte[] body, AnswerHold hold, Work work) {
        work.keepsOnly(body.length);
        hold.begin();
        this.hold = hold;
        this.work = work;
        this.body = body;
    }

    @Override
    public byte @Nullable [] whole() {
        return body;
    }

    @Override
    public byte @Nullable [] next() throws InterruptedException {
        byte[] whole = body;
        if (whole != null) {
            try {
                hold.require(whole.length, 0);
                work.close();
            } catch (StatusException noRoom) {
                // It stays counted as work.
            }
        }
        body = null;
        return whole;
    }

    @Override
    public void close() {
        hold.close();
        work.close();
    }
}
