package io.fairlead.gateway.inprocess;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A request's whole body, up to a limit; counted as it arrives. On the request's event loop, except {@link #of}. */
final class CollectedBody implements RequestListener {
    private static final int BYTES_AT_FIRST = 4 * 1024;

    private final Reply reply;
    private final int bytesMax;
    private final BodyBytes.Taken taken;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private byte[] bytes = new byte[0];
    private int length;

    private CollectedBody(Reply reply, int bytesMax, BodyBytes.Taken taken) {
        this.reply = reply;
        this.bytesMax = bytesMax;
        this.taken = taken;
    }

    /**
     * Reads it; blocks, so never call it on an event loop.
     *
     * @throws StatusException with 413 if it is larger than the limit, with 429 if it does not fit now, with 400 if the
     *     client disconnected before its end
     */
    static byte[] of(Received request, Reply reply, int bytesMax, BodyBytes.Taken taken) {
        if (request.contentLength() > bytesMax) {
            throw tooLarge(bytesMax);
        }
        var body = new CollectedBody(reply, bytesMax, taken);
        reply.eventLoop().execute(() -> {
            reply.receive(body);
            reply.read();
        });
        try {
            return body.whole.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StatusException status ? status : e;
        }
    }

    @Override
    public void onData(ByteBuf data) {
        try {
            add(data);
        } catch (StatusException refused) {
            whole.completeExceptionally(refused);
            return;
        } finally {
            data.release();
        }
        reply.read();
    }

    @Override
    public void onEnd() {
        whole.complete(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    @Override
    public void onGone() {
        whole.completeExceptionally(
                new StatusException(Status.badRequest("request body: ended early (expected all that was announced)")));
    }

    /** An announced length costs its sender nothing, so the array grows with the received bytes. */
    private void add(ByteBuf data) {
        int more = data.readableBytes();
        if (more > bytesMax - length) {
            throw tooLarge(bytesMax);
        }
        if (length + more > bytes.length) {
            int doubled = Math.min(bytesMax, Math.max(BYTES_AT_FIRST, 2 * bytes.length));
            int capacity = Math.max(length + more, doubled);
            taken.grow(capacity - bytes.length);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        data.readBytes(bytes, length, more);
        length += more;
    }

    private static StatusException tooLarge(int bytesMax) {
        return new StatusException(
                Status.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + bytesMax));
    }
}
