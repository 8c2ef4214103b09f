package io.fairlead.gateway.inprocess;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Repetitions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a watch or a long list: each frame is passed to the event loop and flushed at once.
 *
 * <p>A virtual thread reads the frames; at most {@value #AHEAD_MAX} are in flight, with {@value #AHEAD_BYTES_MAX} bytes
 * or one frame, so that a slow reader holds it back. Permits are released as the client reads.
 */
final class FrameWriter implements RequestListener, OpenStreams.Stream {
    private static final Logger LOG = LoggerFactory.getLogger(FrameWriter.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final int AHEAD_MAX = 16;
    private static final int AHEAD_BYTES_MAX = 64 * 1024;

    private final Reply reply;
    private final ApiResponse.Frames frames;
    private final Executor closer;
    private final int eventsPerFrame;

    /** Permits for bytes; a small frame takes a sixteenth, a large one all. */
    private final Semaphore ahead = new Semaphore(AHEAD_BYTES_MAX);

    private int owed;
    private volatile boolean gone;

    private FrameWriter(Reply reply, ApiResponse.Frames frames, int eventsPerFrame, Executor closer) {
        this.reply = reply;
        this.frames = frames;
        this.eventsPerFrame = eventsPerFrame;
        this.closer = closer;
    }

    /** Writes the events of a watch. */
    static FrameWriter ofEvents(Reply reply, ApiResponse.Frames frames, Executor closer) {
        return new FrameWriter(reply, frames, 1, closer);
    }

    /** Writes the pieces of a list. */
    static FrameWriter ofPieces(Reply reply, ApiResponse.Frames pieces, Executor closer) {
        return new FrameWriter(reply, pieces, 0, closer);
    }

    /** Writes until the frames end, cleanly or not, or the client disconnects. */
    void write(int status, MutableFields headers) {
        reply.eventLoop().execute(() -> {
            reply.receive(this);
            reply.head(status, headers, false);
        });
        try (frames) {
            pump();
            reply.eventLoop().execute(reply::end);
        } catch (ApiResponse.BrokenOffException e) {
            reply.eventLoop().execute(reply::abort);
            TOLD.next(e.getClass())
                    .ifPresent(leftOut -> LOG.atInfo()
                            .addKeyValue("auditId", reply.auditId())
                            .addKeyValue("reason", e.getMessage())
                            .addKeyValue("leftOut", leftOut)
                            .log("An answer is broken off"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reply.eventLoop().execute(reply::abort);
        } catch (RuntimeException | Error e) {
            reply.eventLoop().execute(reply::abort);
            throw e;
        }
    }

    private void pump() throws InterruptedException {
        while (!gone) {
            byte[] frame = frames.next();
            if (frame == null) {
                return;
            }
            int cost = Math.clamp(frame.length, AHEAD_BYTES_MAX / AHEAD_MAX, AHEAD_BYTES_MAX);
            ahead.acquire(cost);
            reply.eventLoop().execute(() -> send(frame, cost));
        }
    }

    private void send(byte[] frame, int cost) {
        reply.data(Unpooled.wrappedBuffer(frame));
        reply.events(eventsPerFrame);
        owed += cost;
        if (reply.isWritable() || gone) {
            repay();
        }
    }

    private void repay() {
        ahead.release(owed);
        owed = 0;
    }

    @Override
    public void onData(ByteBuf data) {
        data.release();
    }

    @Override
    public void onEnd() {
        // Only the client's departure matters.
    }

    @Override
    public void onWritable() {
        repay();
    }

    @Override
    public void onGone() {
        gone = true;
        repay();
        endSoon();
    }

    /** A closed source ends without an error: each frame was complete. */
    @Override
    public void endSoon() {
        try {
            closer.execute(frames::close);
        } catch (RejectedExecutionException e) {
            frames.close(); // The process is shutting down.
        }
    }
}
