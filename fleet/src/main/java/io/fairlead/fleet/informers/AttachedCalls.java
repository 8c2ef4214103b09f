package io.fairlead.fleet.informers;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Calls to an attached cluster, with Fairlead's own credential there. */
final class AttachedCalls implements ClusterCalls {
    static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    /** What a line may have without a permit. */
    private static final int LINE_BYTES_KEPT = 64 * 1024;

    /** Of reviews there may be many at once, which have no permit. */
    private static final int REVIEW_BYTES_MAX = 256 * 1024;

    private static final Duration PIECE_TIMEOUT = Duration.ofSeconds(30);

    /** A page holds up those of other clusters, so that one which comes byte by byte is given up. */
    private static final Duration DOCUMENT_TIMEOUT = Duration.ofSeconds(60);

    /** Longer than a watch that ends by itself. */
    private static final Duration EVENT_TIMEOUT = Informer.WATCH_TIME.plusSeconds(60);

    private final ClusterEntry.Attached cluster;
    private final AnswerLimits limits;
    private final Duration documentTimeout;
    private final BooleanSupplier holdsWrites;

    /** @param holdsWrites whether nothing may be changed in the cluster now */
    AttachedCalls(ClusterEntry.Attached cluster, AnswerLimits limits, BooleanSupplier holdsWrites) {
        this(cluster, limits, DOCUMENT_TIMEOUT, holdsWrites);
    }

    /** @param documentTimeout for all of a document, or of a large line */
    AttachedCalls(
            ClusterEntry.Attached cluster, AnswerLimits limits, Duration documentTimeout, BooleanSupplier holdsWrites) {
        this.cluster = cluster;
        this.limits = limits;
        this.documentTimeout = documentTimeout;
        this.holdsWrites = holdsWrites;
    }

    @Override
    public Document ask(String target) throws CallFailure, InterruptedException {
        AttachedAnswer answer = send(HttpMethod.GET, target, Upstream.Kind.LIST, null);
        return new Document() {
            @Override
            public byte[] read() throws CallFailure, InterruptedException {
                return whole(answer, limits.documentBytesMax());
            }

            @Override
            public void close() {
                answer.close();
            }
        };
    }

    @Override
    public byte[] read(String target, int bytesMax) throws CallFailure, InterruptedException {
        try (AttachedAnswer answer = send(HttpMethod.GET, target, Upstream.Kind.SHORT, null)) {
            return whole(answer, bytesMax);
        }
    }

    @Override
    public void post(String target, ObjectNode object) throws CallFailure, InterruptedException {
        change(HttpMethod.POST, target, object);
    }

    @Override
    public void replace(String target, ObjectNode object) throws CallFailure, InterruptedException {
        change(HttpMethod.PUT, target, object);
    }

    @Override
    public void delete(String target, ObjectNode options) throws CallFailure, InterruptedException {
        change(HttpMethod.DELETE, target, options);
    }

    @Override
    public ObjectNode review(ObjectNode subjectAccessReview) throws CallFailure, InterruptedException {
        byte[] body = Json.write(subjectAccessReview);
        try (AttachedAnswer answer = send(HttpMethod.POST, REVIEWS, Upstream.Kind.SHORT, body)) {
            if (Json.read(whole(answer, REVIEW_BYTES_MAX)) instanceof ObjectNode reviewed) {
                return reviewed;
            }
        } catch (UnreadableDocumentException notJson) {
            throw new CallFailure(0, "UnexpectedAnswer", "what answers a review is not JSON");
        }
        throw new CallFailure(0, "UnexpectedAnswer", "no object answers a review");
    }

    /** The answer's head says whether it was done. */
    private void change(HttpMethod method, String target, ObjectNode body) throws CallFailure, InterruptedException {
        if (holdsWrites.getAsBoolean()) {
            throw new CallFailure(0, "ClusterIdentityMoved", "its endpoints lead to another cluster than before");
        }
        send(method, target, Upstream.Kind.SHORT, Json.write(body)).close();
    }

    @Override
    public Lines watch(String target) throws CallFailure, InterruptedException {
        return new AttachedLines(send(HttpMethod.GET, target, Upstream.Kind.LONG_RUNNING, null));
    }

    /** The lines of an answer. */
    private final class AttachedLines implements Lines {
        private final AttachedAnswer answer;
        private ByteArrayOutputStream line = new ByteArrayOutputStream();
        private byte[] piece = new byte[0];
        private int at;

        /** Whether the present line has a permit. */
        private final AtomicBoolean isLarge = new AtomicBoolean();

        private long largeSinceNanos;

        AttachedLines(AttachedAnswer answer) {
            this.answer = answer;
        }

        @Override
        public byte @Nullable [] next() throws CallFailure, InterruptedException {
            release();
            if (line.size() > LINE_BYTES_KEPT) {
                line = new ByteArrayOutputStream();
            } else {
                line.reset();
            }
            while (true) {
                int feed = at;
                while (feed < piece.length && piece[feed] != '\n') {
                    feed++;
                }
                requireRoom(line.size() + feed - at);
                line.write(piece, at, feed - at);
                at = Math.min(feed + 1, piece.length);
                if (feed < piece.length) {
                    return line.toByteArray();
                }
                byte[] next = answer.next(line.size() == 0 ? EVENT_TIMEOUT : PIECE_TIMEOUT);
                if (next == null) {
                    return null; // a line without its end is no event
                }
                piece = next;
                at = 0;
            }
        }

        @Override
        public void close() {
            release();
            answer.close();
        }

        /** Large lines have a permit, and not for long: of a watch that is silent in the middle of one, others would wait. */
        private void requireRoom(int bytes) throws CallFailure, InterruptedException {
            if (bytes > limits.lineBytesMax()) {
                throw CallFailure.tooLarge("an event", limits.lineBytesMax());
            }
            if (bytes <= LINE_BYTES_KEPT) {
                return;
            }
            if (!isLarge.get()) {
                if (!limits.lines().tryAcquire(PIECE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new CallFailure(0, "TooManyLargeEvents", "other large events take the memory for them");
                }
                isLarge.set(true);
                largeSinceNanos = System.nanoTime();
            }
            if (System.nanoTime() - largeSinceNanos > documentTimeout.toNanos()) {
                throw notComplete("an event");
            }
        }

        private void release() {
            if (isLarge.compareAndSet(true, false)) {
                limits.lines().release();
            }
        }
    }

    /** By the servers of all requests; what these do not have may be served by those of custom resources. */
    private AttachedAnswer send(HttpMethod method, String target, Upstream.Kind kind, byte @Nullable [] body)
            throws CallFailure, InterruptedException {
        AttachedAnswer answer = send(cluster.base(), method, target, kind, body);
        ClusterEntry.Backend runtime = cluster.crdRuntime();
        if (answer.status() == 404 && runtime != null) {
            answer.close();
            answer = send(runtime, method, target, kind, body);
        }
        if (answer.status() >= 300) {
            try (AttachedAnswer refused = answer) {
                throw refusal(cluster, refused.status(), whole(refused, limits.documentBytesMax()));
            }
        }
        return answer;
    }

    private static AttachedAnswer send(
            ClusterEntry.Backend backend, HttpMethod method, String target, Upstream.Kind kind, byte @Nullable [] body)
            throws CallFailure, InterruptedException {
        MutableFields headers = new MutableFields()
                .set(FieldName.ACCEPT, "application/json")
                .set(FieldName.USER_AGENT, "fairlead/" + FairleadVersion.NUMBER);
        if (body != null) {
            headers.set(FieldName.CONTENT_TYPE, "application/json");
        }
        RequestHead head = new RequestHead(method, target, headers.toFields(), body == null ? 0 : body.length);
        return AttachedAnswer.to(head, body, backend.upstream(), kind, PIECE_TIMEOUT);
    }

    private byte[] whole(AttachedAnswer answer, int bytesMax) throws CallFailure, InterruptedException {
        long beganNanos = System.nanoTime();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] piece = answer.next(PIECE_TIMEOUT); piece != null; piece = answer.next(PIECE_TIMEOUT)) {
            if (whole.size() + piece.length > bytesMax) {
                throw CallFailure.tooLarge("an answer", bytesMax);
            }
            if (System.nanoTime() - beganNanos > documentTimeout.toNanos()) {
                throw notComplete("an answer");
            }
            whole.writeBytes(piece);
        }
        return whole.toByteArray();
    }

    private CallFailure notComplete(String what) {
        return new CallFailure(0, "Timeout", what + " is not complete after " + documentTimeout.toSeconds() + " s");
    }

    private static CallFailure refusal(ClusterEntry.Attached cluster, int code, byte[] body) {
        JsonNode status;
        try {
            status = Json.read(body);
        } catch (RuntimeException notJson) {
            status = Json.object();
        }
        return new CallFailure(
                code,
                status.path("reason").asString("UnexpectedAnswer"),
                cluster.base()
                        .upstream()
                        .withoutCredential(status.path("message").asString("it answers " + code)));
    }
}
