package io.fairlead.gateway.inprocess;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.answer.OpenStreams;
import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.Pinned;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.ToHosted;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs requests on hosted clusters and other in-process handlers. Blocks; runs on virtual threads. */
public final class HostedHandler {
    private static final Set<FieldName> HEADERS_THAT_MATTER =
            Set.of(FieldName.ACCEPT, FieldName.CONTENT_TYPE, FieldName.of("if-none-match"), FieldName.USER_AGENT);

    /** The most routings of a request, since the definition behind its route may change again each time. */
    private static final int LOOKS_MAX = 20;

    private static final int NO_CONTENT = 204;
    private static final int RETRY_AFTER_SECONDS = 1;

    private final int bodyBytesMax;
    private final BodyBytes bodies;
    private final Executor virtualThreads;
    private final OpenStreams openStreams;
    private final EventPace pace = new EventPace();

    /**
     * The handler.
     *
     * @param limits of which the size of a body counts here; it is less if the budget is smaller
     * @param bodies the budget of all bodies
     */
    public HostedHandler(LimitSettings limits, BodyBytes bodies, Executor virtualThreads, OpenStreams openStreams) {
        this.bodyBytesMax = Math.min(limits.hostedBodyBytesMax().intBytes(), bodies.bodyBytesMax());
        this.bodies = bodies;
        this.virtualThreads = virtualThreads;
        this.openStreams = openStreams;
    }

    /**
     * Reads a request's whole body, if its verb has one. The client decides how long that takes, so conditions of the
     * cluster's answer are checked afterwards.
     *
     * @throws StatusException for errors before the cluster is called
     */
    public HeldBody body(ToHosted request, Reply reply) {
        requireNoKubelet(request);
        Received received = request.described().received();
        if (request.described().isWatchByWebSocket()) {
            reply.takeWebSocket(received);
        }
        query(request).getOrDefault("timeout", List.of()).stream().limit(1).forEach(RequestTimeout::requireValid);
        if (received.contentLength() == 0 || !request.described().info().resourceRequest()) {
            return HeldBody.none();
        }
        BodyBytes.Taken taken = bodies.of(request);
        try {
            byte[] body = CollectedBody.of(received, reply, bodyBytesMax, taken);
            taken.grow((BodyBytes.BYTES_FOR_EACH - 1L) * body.length);
            reply.witness().requestBody(received.headers().get(FieldName.CONTENT_TYPE, ""), body);
            return HeldBody.of(body, taken);
        } catch (RuntimeException refused) {
            taken.close();
            throw refused;
        }
    }

    /**
     * Answers, and returns when the answer is written or the client is gone.
     *
     * @param looks routes and judges the request, given the number of earlier times: again if the definition behind its
     *     route is no longer current
     * @param body of the request; closed once the cluster has answered
     * @return what writes a watch until it ends or the client is gone; empty if the answer is written. It is to run on
     *     another thread: a watch lasts for long, and this one keeps the whole request
     * @throws StatusException with 503 if it changes every time
     */
    public Optional<Runnable> handle(IntFunction<Pinned<ToHosted>> looks, HeldBody body, Reply reply) {
        boolean wasAbsent = false;
        for (int look = 0; ; look++) {
            Pinned<ToHosted> pinned = looks.apply(look);
            try {
                ApiResponse response = answer(pinned.request(), wasAbsent, body);
                body.close();
                pinned.tell(reply);
                if (response instanceof ApiResponse.Stream) {
                    return Optional.of(() -> write(response, reply));
                }
                write(response, reply);
                return Optional.empty();
            } catch (DefinitionChangedException changed) {
                if (look + 1 == LOOKS_MAX) {
                    throw keepsChanging(pinned.request());
                }
                wasAbsent = pinned.request().route() instanceof Route.ToBaseHandler;
            }
        }
    }

    /**
     * Calls the cluster's handler for the route.
     *
     * @param wasAbsent whether the previous look-up found nothing either: then the 404 is final
     */
    private static ApiResponse answer(ToHosted request, boolean wasAbsent, HeldBody body) {
        return switch (request.route()) {
            case Route.ToCrdRuntime runtime ->
                request.cluster()
                        .crdRuntime()
                        .serve(asked(
                                request,
                                new DefinitionState.At(runtime.definition().resourceVersion()),
                                body));
            case Route.ToBaseHandler _ ->
                request.cluster()
                        .baseHandler()
                        .serve(asked(
                                request, wasAbsent ? new DefinitionState.Any() : new DefinitionState.None(), body));
            case Route.ToAggregated _ ->
                throw new StatusException(Status.withCause(
                        503,
                        "ServiceUnavailable",
                        "an APIService took the version over while the body was read (expected another try)",
                        "BackendNotAvailable",
                        1));
            case Route.Rejected _ ->
                throw new IllegalStateException(
                        "no hosted cluster answers " + request.route().kind());
        };
    }

    private static ApiRequest asked(ToHosted request, DefinitionState definition, HeldBody body) {
        Received received = request.described().received();
        ApiRequest asked = new ApiRequest(
                request.described().info(),
                received.method().name(),
                query(request),
                headers(received),
                request.user(),
                body.bytes(),
                request.caller(),
                request.isUserEverywhere(),
                definition);
        Consumer<RequestInfo> check = request.creationCheck();
        return check == null ? asked : asked.ofOtherCluster(request.scope(), check);
    }

    private static StatusException keepsChanging(ToHosted request) {
        return new StatusException(Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + request.cluster().name() + "\": the definition of "
                        + request.described().info().groupResource() + " changed " + LOOKS_MAX
                        + " times while the request was to be answered by it (expected it to stay as it is for a"
                        + " moment; try again)",
                "DefinitionChanged",
                RETRY_AFTER_SECONDS));
    }

    private static Map<String, List<String>> query(ToHosted request) {
        return QueryParameters.of(request.target().query()).all();
    }

    /** What a kubelet streams, there is none for. */
    private static void requireNoKubelet(ToHosted request) {
        if (request.described().isPodStream()) {
            throw new StatusException(Status.withCause(
                    501,
                    "NotImplemented",
                    "cluster \"" + request.cluster().name()
                            + "\": it is hosted and runs no pods, so that there is nothing to connect pods/"
                            + request.described().info().subresource() + " to (expected an attached cluster)",
                    "UpgradeNotOffered",
                    0));
        }
    }

    /** Writes the answer of an in-process handler. */
    public void write(ApiResponse response, Reply reply) {
        MutableFields headers = headers(response);
        switch (response) {
            case ApiResponse.Whole whole -> {
                reply.witness().answerBody(whole.status(), whole.contentType(), whole.body());
                reply.eventLoop().execute(() -> whole(whole, headers, reply));
            }
            case ApiResponse.Pieces pieces -> {
                byte[] whole = pieces.pieces().whole();
                if (whole == null) {
                    reply.witness().answerInPieces();
                } else {
                    reply.witness().answerBody(pieces.status(), pieces.contentType(), whole);
                }
                FrameWriter.ofPieces(reply, pieces.pieces(), virtualThreads).write(pieces.status(), headers);
            }
            case ApiResponse.Stream stream -> write(stream, headers, reply);
        }
    }

    private static void whole(ApiResponse.Whole response, MutableFields headers, Reply reply) {
        if (response.status() == NO_CONTENT) {
            reply.head(NO_CONTENT, headers, true);
        } else {
            reply.whole(response.status(), headers, response.body());
        }
    }

    private void write(ApiResponse.Stream response, MutableFields headers, Reply reply) {
        FrameWriter writer = FrameWriter.ofEvents(reply, response.frames(), pace, virtualThreads);
        openStreams.add(writer);
        try {
            writer.write(response.status(), headers);
        } finally {
            openStreams.remove(writer);
        }
    }

    /** The request headers that answers depend on; fields of one name are joined. */
    public static Map<String, String> headers(Received received) {
        Map<String, String> headers = new TreeMap<>();
        for (FieldName name : HEADERS_THAT_MATTER) {
            List<String> values = received.headers().all(name);
            if (!values.isEmpty()) {
                headers.put(name.toString(), String.join(", ", values));
            }
        }
        return headers;
    }

    private static MutableFields headers(ApiResponse response) {
        MutableFields headers = new MutableFields();
        if (response.status() != NO_CONTENT) {
            headers.set(FieldName.CONTENT_TYPE, response.contentType());
        }
        response.headers().forEach((name, values) -> {
            headers.remove(FieldName.of(name));
            values.forEach(value -> headers.add(name, value));
        });
        if (!headers.contains(FieldName.CACHE_CONTROL)) {
            headers.set(FieldName.CACHE_CONTROL, "no-cache, private");
        }
        if (response.status() >= 400 || response.contentType().startsWith("text/")) {
            headers.set(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
        }
        return headers;
    }
}
