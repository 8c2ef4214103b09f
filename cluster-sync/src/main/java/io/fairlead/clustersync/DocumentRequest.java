package io.fairlead.clustersync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.WholeAnswer;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One request for a JSON document to an API server, bounded in time and in bytes. Threads: any; nothing here waits. */
public final class DocumentRequest {
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

    /** JSON; keys have a media type of their own (RFC 7517, section 8.5.2), without which kube-apiserver answers 406. */
    private static final String DOCUMENTS = "application/json, application/jwk-set+json";

    private static final int VALUES_MAX = 100_000;

    /** Statuses from this one on. */
    private static final int REFUSALS = 400;

    private DocumentRequest() {}

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
        return outcome(upstream, WholeAnswer.of(upstream, head, Upstream.Kind.SHORT, timeout, bodyBytesMax));
    }

    /** The same for a short call with a body, whose length the head has. */
    static CompletableFuture<Outcome> send(
            Upstream upstream, RequestHead head, byte[] body, Duration timeout, int bodyBytesMax) {
        return outcome(upstream, WholeAnswer.of(upstream, head, body, timeout, bodyBytesMax));
    }

    /** Those that ask one question at a time wait for its end, even if memory was too short to read the answer. */
    private static CompletableFuture<Outcome> outcome(
            Upstream upstream, CompletableFuture<WholeAnswer.Outcome> answer) {
        return answer.thenApply(outcome -> outcome(upstream, outcome))
                .exceptionally(thrown -> new Outcome.Failed(new UpstreamFailure(
                        UpstreamFailure.Kind.PROTOCOL, "its answer could not be read: " + thrown, true)));
    }

    /** Of a refusal it is shown why, and a server may repeat what it was sent. */
    static Outcome outcome(Upstream upstream, WholeAnswer.Outcome outcome) {
        return switch (outcome) {
            case WholeAnswer.Answered(int status, byte[] body)
            when status >= REFUSALS ->
                new Outcome.Answered(
                        status,
                        read(upstream.withoutCredential(new String(body, UTF_8)).getBytes(UTF_8)));
            case WholeAnswer.Answered(int status, byte[] body) -> new Outcome.Answered(status, read(body));
            case WholeAnswer.TooLong(int status) -> new Outcome.Answered(status, Json.object());
            case WholeAnswer.Failed(UpstreamFailure failure) -> new Outcome.Failed(failure);
        };
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
        MutableFields headers = new MutableFields().set(FieldName.ACCEPT, DOCUMENTS);
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
}
