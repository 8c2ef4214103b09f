package io.fairlead.gateway.hosting;

import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.PlainWatch;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.Pinned;
import io.fairlead.gateway.route.ToHosted;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/** Lets hosted clusters and other in-process handlers answer. Blocks; runs on virtual threads. */
public final class HostedHandler {
    private static final Set<String> HEADERS_THAT_MATTER =
            Set.of("accept", "content-type", "if-none-match", "user-agent");

    private final int bodyBytesMax;
    private final Executor virtualThreads;
    private final OpenStreams openStreams;

    public HostedHandler(int bodyBytesMax, Executor virtualThreads, OpenStreams openStreams) {
        this.bodyBytesMax = bodyBytesMax;
        this.virtualThreads = virtualThreads;
        this.openStreams = openStreams;
    }

    /**
     * Answers, and returns when the answer is written or the client is gone.
     *
     * @throws StatusException for what is wrong before the cluster is asked
     */
    public void handle(Pinned<ToHosted> pinned, Reply reply) {
        ToHosted request = pinned.request();
        reply.warn(pinned.warnings());
        Received received = request.described().received();
        requireNoPodStream(request);
        if (request.described().isWatchByWebSocket()) {
            reply.eventLoop().execute(() -> PlainWatch.suggest(reply));
            return;
        }
        Map<String, List<String>> query = QueryText.parameters(request.target().query());
        query.getOrDefault("timeout", List.of()).stream().limit(1).forEach(RequestTimeout::requireValid);
        byte[] body = CollectedBody.of(received, reply, bodyBytesMax);
        write(
                request.cluster()
                        .serve(new ApiRequest(
                                request.described().info(),
                                received.method().name(),
                                query,
                                headers(received),
                                request.user(),
                                body)),
                reply);
    }

    private static void requireNoPodStream(ToHosted request) {
        if (request.described().isPodStream()) {
            throw new StatusException(Status.withCause(
                    501,
                    "NotImplemented",
                    "cluster \"" + request.cluster().name() + "\": it is hosted and runs no pods, so that there is"
                            + " nothing to connect pods/"
                            + request.described().info().subresource() + " to (expected an attached cluster)",
                    "UpgradeNotOffered",
                    0));
        }
    }

    /** Writes what a handler in this process answered. */
    public void write(ApiResponse response, Reply reply) {
        HttpHeaders headers = headers(response);
        switch (response) {
            case ApiResponse.Whole whole ->
                reply.eventLoop().execute(() -> reply.whole(whole.status(), headers, whole.body()));
            case ApiResponse.Stream stream -> write(stream, headers, reply);
        }
    }

    private void write(ApiResponse.Stream response, HttpHeaders headers, Reply reply) {
        FrameWriter writer = new FrameWriter(reply, response.frames(), virtualThreads);
        openStreams.add(writer);
        try {
            writer.write(response.status(), headers);
        } finally {
            openStreams.remove(writer);
        }
    }

    /** The request headers that answers depend on, several of one name joined. */
    public static Map<String, String> headers(Received received) {
        Map<String, String> headers = new TreeMap<>();
        for (String name : HEADERS_THAT_MATTER) {
            List<String> values = received.headers().getAll(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values));
            }
        }
        return headers;
    }

    private static HttpHeaders headers(ApiResponse response) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
        response.headers().forEach(headers::set);
        if (!headers.contains(HttpHeaderNames.CACHE_CONTROL)) {
            headers.set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private");
        }
        if (response.status() >= 400 || response.contentType().startsWith("text/")) {
            headers.set("x-content-type-options", "nosniff");
        }
        return headers;
    }
}
