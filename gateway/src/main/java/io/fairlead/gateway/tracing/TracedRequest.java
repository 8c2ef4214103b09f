package io.fairlead.gateway.tracing;

import io.fairlead.gateway.answer.Trace;
import io.fairlead.gateway.info.Described;
import io.fairlead.http.MutableFields;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.protobuf.ProtobufWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request that is traced. Its spans - its own, one for each stage that waited, and one for the API server's first byte - are
 * made when its answer is over.
 *
 * <p>It is not recorded if its caller is never known - who has no credential makes no spans - or wants too much traced; then
 * nothing of it is touched.
 *
 * <p>On the request's event loop.
 */
final class TracedRequest implements Trace {
    /** What took less was looked up and not waited for. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** What an answer says of a client that left before it. */
    private static final String LEFT = "client_left";

    private static final int SERVER_ERRORS = 500;

    private final Tracing tracing;
    private final Subject subject;
    private final @Nullable TraceContext parent;
    private final String state;
    private final TraceContext context;
    private final long beganNanos;
    private final List<Wait> waits = new ArrayList<>();

    private boolean isRecorded;
    private boolean isOver;
    private @Nullable ClusterName cluster;
    private @Nullable Wait wait;
    private @Nullable Forwarded forwarded;
    private int code;

    /** What it is, without the request itself, which a watch would keep for long. */
    private record Subject(String method, String route, String verb, String client, String auditId) {
        static Subject of(Described described, String auditId) {
            return new Subject(
                    methodName(described.received().method().name()),
                    RouteText.of(described.info()),
                    described.info().verb(),
                    described.received().peer().host(),
                    auditId);
        }

        /** Others than those that are known are {@code _OTHER} in OpenTelemetry's conventions. */
        private static String methodName(String method) {
            return switch (method) {
                case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE" -> method;
                default -> "_OTHER";
            };
        }
    }

    /** A stage that waits, or did. */
    private record Wait(Stage stage, long beganNanos, long endedNanos) {}

    /** What an API server got of it, and until when its answer was waited for. */
    private record Forwarded(TraceContext context, long beganNanos, long endedNanos) {}

    /**
     * One that begins now.
     *
     * @param parent the client's span, null if it has none
     * @param state the client's {@code tracestate}, empty if it has none
     * @param context of its own span
     */
    TracedRequest(
            Tracing tracing,
            Described described,
            String auditId,
            @Nullable TraceContext parent,
            String state,
            TraceContext context) {
        this.tracing = tracing;
        this.subject = Subject.of(described, auditId);
        this.parent = parent;
        this.state = state;
        this.context = context;
        this.beganNanos = tracing.nanoTime();
    }

    @Override
    public void callerIsKnown(CallerName caller) {
        isRecorded = parent == null || tracing.follows(caller);
    }

    @Override
    public void enters(ClusterName entered) {
        cluster = entered;
    }

    @Override
    public void waits(Stage stage) {
        goesOn();
        wait = new Wait(stage, tracing.nanoTime(), 0);
    }

    @Override
    public void goesOn() {
        Wait ended = wait;
        wait = null;
        if (ended != null && !isOver) {
            long nowNanos = tracing.nanoTime();
            if (nowNanos - ended.beganNanos() >= SHORTEST_WAIT_NANOS) {
                waits.add(new Wait(ended.stage(), ended.beganNanos(), nowNanos));
            }
        }
    }

    /** The server's spans belong to the one of this call; a state that belongs to no trace goes nowhere. */
    @Override
    public void forwards(MutableFields headers) {
        if (!isRecorded) {
            return;
        }
        TraceContext call = tracing.next(context);
        forwarded = new Forwarded(call, tracing.nanoTime(), 0);
        headers.set(Tracing.TRACEPARENT, call.toString());
        if (parent == null) {
            headers.remove(Tracing.TRACESTATE);
        }
    }

    @Override
    public void answered(int answeredCode) {
        code = answeredCode;
        endForwarded();
    }

    @Override
    public void over() {
        goesOn();
        endForwarded();
        isOver = true;
        if (isRecorded) {
            tracing.record(spans());
        }
    }

    private void endForwarded() {
        Forwarded call = forwarded;
        if (call != null && call.endedNanos() == 0) {
            forwarded = new Forwarded(call.context(), call.beganNanos(), tracing.nanoTime());
        }
    }

    private Spans spans() {
        ProtobufWriter bytes = new ProtobufWriter();
        int count = 1 + waits.size();
        own().writeTo(bytes);
        for (Wait waited : waits) {
            waited(waited).writeTo(bytes);
        }
        if (forwarded != null) {
            call(forwarded).writeTo(bytes);
            count++;
        }
        return new Spans(count, bytes.bytes());
    }

    private Span own() {
        String route = subject.route();
        Attributes attributes = method().put("url.scheme", "https")
                .put("client.address", subject.client())
                .put("fairlead.audit_id", subject.auditId())
                .put("http.route", route)
                .put("fairlead.verb", subject.verb());
        outcome(attributes);
        return new Span(
                context,
                parent,
                parent != null,
                state,
                Attributes.bounded(subject.method() + (route.isEmpty() ? "" : " " + route)),
                Span.Kind.SERVER,
                tracing.epochNanos(beganNanos),
                tracing.epochNanos(tracing.nanoTime()),
                attributes,
                code >= SERVER_ERRORS);
    }

    private Span waited(Wait waited) {
        return new Span(
                tracing.next(context),
                context,
                false,
                state,
                waited.stage().name().toLowerCase(Locale.ROOT),
                Span.Kind.INTERNAL,
                tracing.epochNanos(waited.beganNanos()),
                tracing.epochNanos(waited.endedNanos()),
                new Attributes(),
                false);
    }

    private Span call(Forwarded call) {
        Attributes attributes = method();
        outcome(attributes);
        return new Span(
                call.context(),
                context,
                false,
                state,
                subject.method(),
                Span.Kind.CLIENT,
                tracing.epochNanos(call.beganNanos()),
                tracing.epochNanos(call.endedNanos()),
                attributes,
                code >= SERVER_ERRORS);
    }

    private Attributes method() {
        return new Attributes().put("http.request.method", subject.method());
    }

    private void outcome(Attributes attributes) {
        if (cluster != null) {
            attributes.put("k8s.cluster.name", cluster.value());
        }
        if (code > 0) {
            attributes.put("http.response.status_code", code);
        }
        if (code == 0 || code >= SERVER_ERRORS) {
            attributes.put("error.type", code == 0 ? LEFT : String.valueOf(code));
        }
    }
}
