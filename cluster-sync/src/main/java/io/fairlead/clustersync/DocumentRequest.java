package io.fairlead.clustersync;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One GET of a JSON document from an API server, bounded in time and in bytes. Threads: any; nothing here waits. */
public final class DocumentRequest implements ResponseReceiver {
    /** The result. */
    public sealed interface Outcome {
        /**
         * An answer.
         *
         * @param document its body; an empty object if that is not JSON, or too large
         */
        record Answered(int status, JsonNode document) implements Outcome {}

        /** No answer, or none in time. */
        record Failed(UpstreamFailure failure) implements Outcome {}
    }

    private static final int VALUES_MAX = 100_000;

    private final int bodyBytesMax;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    private DocumentRequest(int bodyBytesMax) {
        this.bodyBytesMax = bodyBytesMax;
    }

    /** Completes, never exceptionally, on an event loop. */
    static CompletableFuture<Outcome> get(
            Upstream upstream, String path, @Nullable String bearerToken, Duration timeout, int bodyBytesMax) {
        return get(upstream, head(path, bearerToken), timeout, bodyBytesMax);
    }

    /**
     * The same with headers of one's own.
     *
     * @param head of a GET
     */
    public static CompletableFuture<Outcome> get(
            Upstream upstream, RequestHead head, Duration timeout, int bodyBytesMax) {
        DocumentRequest request = new DocumentRequest(bodyBytesMax);
        Exchange exchange = upstream.send(head, Upstream.Kind.SHORT, null, request);
        ScheduledFuture<?> deadline = exchange.eventLoop()
                .schedule(
                        () -> request.giveUp(exchange, head.target(), timeout),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        request.outcome.whenComplete((found, problem) -> deadline.cancel(false));
        return request.outcome;
    }

    /** The same, for a thread that waits for it. */
    public static Outcome await(Upstream upstream, RequestHead head, Duration timeout, int bodyBytesMax)
            throws InterruptedException {
        try {
            return get(upstream, head, timeout, bodyBytesMax).get();
        } catch (ExecutionException never) {
            throw new IllegalStateException("a document request completes exceptionally", never);
        }
    }

    static RequestHead head(String path, @Nullable String bearerToken) {
        MutableFields headers = new MutableFields().set(FieldName.ACCEPT, "application/json");
        if (bearerToken != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + bearerToken);
        }
        return new RequestHead(HttpMethod.GET, path, headers.toFields(), 0);
    }

    /** A body as JSON; an empty object if it is not JSON, or has too many values: each takes much more than its bytes. */
    static JsonNode read(byte[] body) {
        if (values(body) > VALUES_MAX) {
            return Json.object();
        }
        try {
            return Json.read(body);
        } catch (UnreadableDocumentException e) {
            return Json.object();
        }
    }

    /** At least as many as there are. */
    private static int values(byte[] body) {
        int values = 1;
        for (byte each : body) {
            if (each == ',' || each == '[' || each == '{' || each == ':') {
                values++;
            }
        }
        return values;
    }

    @Override
    public void onHead(int code, MutableFields headers) {
        status = code;
    }

    @Override
    public void onData(ByteBuf data) {
        if (body.size() + data.readableBytes() <= bodyBytesMax) {
            body.writeBytes(ByteBufUtil.getBytes(data));
        }
        data.release();
    }

    @Override
    public void onEnd() {
        outcome.complete(new Outcome.Answered(status, read(body.toByteArray())));
    }

    @Override
    public void onFailure(UpstreamFailure failure) {
        outcome.complete(new Outcome.Failed(failure));
    }

    private void giveUp(Exchange exchange, String path, Duration timeout) {
        exchange.cancel();
        outcome.complete(new Outcome.Failed(new UpstreamFailure(
                UpstreamFailure.Kind.TIMEOUT,
                "the server did not answer " + path + " within " + timeout.toMillis() + " ms",
                true)));
    }
}
