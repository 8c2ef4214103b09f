package io.fairlead.gateway.tracing;

import io.fairlead.gateway.answer.Reply;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.RatePerSecond;
import io.fairlead.gateway.select.Target;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.CallerName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has requests of known callers traced. A client that says of its trace whether it is recorded decides that for its requests too,
 * but for so many in a second only; of all others a part is chosen by chance. Nothing else of a request that is not traced is touched: the context of its client goes on to
 * API servers as it came.
 *
 * <p>Threads: any; never blocks.
 */
public final class Tracing {
    static final FieldName TRACEPARENT = FieldName.of("traceparent");
    static final FieldName TRACESTATE = FieldName.of("tracestate");

    private static final int MILLION = 1_000_000;

    /** What other tracers say of a trace is recorded up to this length, which they must at least pass on. */
    private static final int STATE_CHARACTERS_MAX = 512;

    private final int samplesPerMillion;
    private final RatePerSecond<CallerName> askedFor;
    private final SpanExport export;
    private final TraceMetrics metrics;
    private final LongSupplier nanoTime;
    private final LongSupplier random;

    /** When the clock of durations was at 0, in nanoseconds since 1970. */
    private final long zeroEpochNanos;

    /**
     * Traces requests.
     *
     * @param samplesPerMillion of a million requests whose clients have no trace, how many are traced
     * @param askedFor how many a caller may have traced by its own decision
     * @param export where their spans go
     * @param clock the time of day
     * @param nanoTime the clock of durations
     * @param random of which ids are made
     */
    public Tracing(
            int samplesPerMillion,
            RatePerSecond<CallerName> askedFor,
            SpanExport export,
            TraceMetrics metrics,
            InstantSource clock,
            LongSupplier nanoTime,
            LongSupplier random) {
        this.samplesPerMillion = samplesPerMillion;
        this.askedFor = askedFor;
        this.export = export;
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.random = random;
        Instant now = clock.instant();
        this.zeroEpochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - nanoTime.getAsLong();
    }

    /** Traces a request from now on, if it is sampled. On its event loop, before its caller is known. */
    public void attend(Described described, Reply reply) {
        if (described.target() instanceof Target.Gateway gateway && !gateway.isApi()) {
            return; // Probes and scrapes would be the most of it.
        }
        MutableFields headers = described.received().headers();
        TraceContext parent = parent(headers);
        if (parent == null ? isChosen() : parent.isSampled()) {
            reply.trace(new TracedRequest(
                    this,
                    described,
                    reply.auditId(),
                    parent,
                    parent == null ? "" : state(headers),
                    parent == null ? TraceContext.root(random) : parent.next(random)));
        }
    }

    /** Whether a request that its client wants traced is, which is counted. */
    boolean follows(CallerName caller) {
        if (askedFor.allows(caller)) {
            return true;
        }
        metrics.tooManyAskedFor();
        return isChosen();
    }

    TraceContext next(TraceContext context) {
        return context.next(random);
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    long epochNanos(long nanos) {
        return zeroEpochNanos + nanos;
    }

    void record(Spans spans) {
        export.add(spans);
    }

    /** Two of them are as good as none (W3C Trace Context section 4.2). */
    private static @Nullable TraceContext parent(MutableFields headers) {
        if (!headers.contains(TRACEPARENT)) {
            return null;
        }
        List<String> given = headers.all(TRACEPARENT);
        return given.size() == 1 ? TraceContext.parse(given.getFirst()) : null;
    }

    private static String state(MutableFields headers) {
        String state = String.join(",", headers.all(TRACESTATE));
        return state.length() <= STATE_CHARACTERS_MAX ? state : "";
    }

    private boolean isChosen() {
        return Long.remainderUnsigned(random.getAsLong(), MILLION) < samplesPerMillion;
    }
}
