package io.fairlead.gateway.hosting;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestListener;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A request's whole body, up to a limit. */
public final class CollectedBody implements RequestListener {
    private final Reply reply;
    private final int bytesMax;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

    private CollectedBody(Reply reply, int bytesMax) {
        this.reply = reply;
        this.bytesMax = bytesMax;
    }

    /**
     * Reads it; blocks, so never call it on an event loop.
     *
     * @throws StatusException with 413 if it is larger than the limit, with 400 if the client went away before its end
     */
    public static byte[] of(Received request, Reply reply, int bytesMax) {
        if (request.contentLength() == 0) {
            return new byte[0];
        }
        if (request.contentLength() > bytesMax) {
            throw tooLarge(bytesMax);
        }
        var body = new CollectedBody(reply, bytesMax);
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
            if (bytes.size() + data.readableBytes() > bytesMax) {
                whole.completeExceptionally(tooLarge(bytesMax));
                return;
            }
            data.getBytes(data.readerIndex(), bytes, data.readableBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            data.release();
        }
        reply.read();
    }

    @Override
    public void onEnd() {
        whole.complete(bytes.toByteArray());
    }

    @Override
    public void onGone() {
        whole.completeExceptionally(
                new StatusException(Status.badRequest("request body: ended early (expected all that was announced)")));
    }

    private static StatusException tooLarge(int bytesMax) {
        return new StatusException(
                Status.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + bytesMax));
    }
}
