package io.fairlead.clustersync.fabric8;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One GET with a small and quick answer. On the exchange's event loop. */
final class Fetch implements ResponseReceiver {
    /**
     * The server's answer.
     *
     * @param status its code
     * @param body its body
     */
    record Answer(int status, byte[] body) {}

    private final String target;
    private final int bodyBytesMax;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    private Fetch(String target, int bodyBytesMax) {
        this.target = target;
        this.bodyBytesMax = bodyBytesMax;
    }

    /**
     * Sends it.
     *
     * @param target path and query
     * @param timeout until the answer must be complete
     * @return completes on an event loop, exceptionally with an {@link UpstreamException}
     */
    static CompletableFuture<Answer> get(
            Upstream upstream,
            @Nullable String bearerToken,
            String target,
            String accept,
            int bodyBytesMax,
            Duration timeout) {
        MutableFields headers = new MutableFields().set(FieldName.ACCEPT, accept);
        if (bearerToken != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + bearerToken);
        }
        Fetch fetch = new Fetch(target, bodyBytesMax);
        Exchange exchange = upstream.send(
                new RequestHead(HttpMethod.GET, target, headers.toFields(), 0), Upstream.Kind.LIST, null, fetch);
        ScheduledFuture<?> deadline = exchange.eventLoop()
                .schedule(
                        () -> fetch.giveUp(exchange, UpstreamFailure.Kind.TIMEOUT, "took more than " + timeout),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        return fetch.answer.whenComplete((found, problem) -> {
            deadline.cancel(false);
            exchange.cancel();
        });
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        if (body.size() + data.readableBytes() > bodyBytesMax) {
            fail(UpstreamFailure.Kind.PROTOCOL, "has more than " + bodyBytesMax + " bytes");
        } else {
            body.writeBytes(ByteBufUtil.getBytes(data));
        }
        data.release();
    }

    @Override
    public void onEnd() {
        answer.complete(new Answer(status, body.toByteArray()));
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        answer.completeExceptionally(new UpstreamException(failure));
    }

    private void giveUp(Exchange exchange, UpstreamFailure.Kind kind, String what) {
        exchange.cancel();
        fail(kind, what);
    }

    private void fail(UpstreamFailure.Kind kind, String what) {
        answer.completeExceptionally(
                new UpstreamException(new UpstreamFailure(kind, "the answer to " + target + " " + what, true)));
    }
}
