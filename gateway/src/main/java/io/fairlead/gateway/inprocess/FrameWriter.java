package io.fairlead.gateway.inprocess;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Repetitions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a watch or a long list: each frame is asked for when the earlier ones have left the event loop, and passed to it together with those
 * that have come meanwhile, and flushed at once. So a reader that keeps up gets each event alone, and many readers of a busy resource
 * get theirs in batches ({@link EventPace}), which cost one write each.
 *
 * <p>A virtual thread reads the frames; one batch is in flight, of at most {@value #BATCH_BYTES_MAX} bytes and one frame, so that a slow
 * reader holds it back. Its permit is released as the client reads.
 */
final class FrameWriter implements RequestListener, OpenStreams.Stream {
    private static final Logger LOG = LoggerFactory.getLogger(FrameWriter.class);
    private static final Repetitions TOLD = new Repetitions();

    /** What one TLS record holds (RFC 8446 section 5.1). */
    private static final int BATCH_BYTES_MAX = 16 * 1024;

    private final Reply reply;
    private final ApiResponse.Frames frames;
    private final Executor closer;
    private final int eventsPerFrame;
    private final EventPace.@Nullable Watch pace;

    /** Permits one batch. */
    private final Semaphore turn = new Semaphore(1);

    private boolean owed;
    private final CountDownLatch gone = new CountDownLatch(1);

    private FrameWriter(
            Reply reply,
            ApiResponse.Frames frames,
            int eventsPerFrame,
            EventPace.@Nullable Watch pace,
            Executor closer) {
        this.reply = reply;
        this.frames = frames;
        this.eventsPerFrame = eventsPerFrame;
        this.pace = pace;
        this.closer = closer;
    }

    /** Writes the events of a watch. */
    static FrameWriter ofEvents(Reply reply, ApiResponse.Frames frames, EventPace pace, Executor closer) {
        return new FrameWriter(reply, frames, 1, pace.new Watch(), closer);
    }

    /** Writes the pieces of a list. */
    static FrameWriter ofPieces(Reply reply, ApiResponse.Frames pieces, Executor closer) {
        return new FrameWriter(reply, pieces, 0, null, closer);
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
        while (!isGone()) {
            // Before the next frame is made: the source counts one.
            turn.acquire();
            byte[] frame = frames.next();
            if (frame == null) {
                return;
            }
            if (pace != null) {
                var _ = gone.await(pace.beforeWrite(), TimeUnit.NANOSECONDS);
            }
            byte[][] batch = batch(frame);
            reply.eventLoop().execute(() -> send(batch));
        }
    }

    /** A frame with those that follow it already. */
    private byte[][] batch(byte[] first) throws InterruptedException {
        List<byte[]> batch = new ArrayList<>();
        int bytes = 0;
        for (byte[] frame = first; frame != null; frame = bytes < BATCH_BYTES_MAX ? frames.nextNow() : null) {
            batch.add(frame);
            bytes += frame.length;
        }
        return batch.toArray(byte[][]::new);
    }

    private void send(byte[]... batch) {
        reply.data(Unpooled.wrappedBuffer(batch));
        reply.events(eventsPerFrame * batch.length);
        owed = true;
        if (reply.isWritable() || isGone()) {
            repay();
        }
    }

    private boolean isGone() {
        return gone.getCount() == 0;
    }

    private void repay() {
        if (owed) {
            owed = false;
            turn.release();
        }
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
        gone.countDown();
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
