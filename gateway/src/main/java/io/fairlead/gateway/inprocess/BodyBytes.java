package io.fairlead.gateway.inprocess;

import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.route.ToHosted;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerHold;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.function.LongConsumer;

/**
 * Counts the bytes of request bodies in progress: in the process, for each cluster, and for each caller, which is the
 * authenticated one, not the impersonated user.
 *
 * <p>A cluster's part belongs to the process's. Callers are counted separately, over all clusters. Any thread.
 */
public final class BodyBytes {
    /** The memory per byte of a body that is parsed and encoded again. */
    static final int BYTES_FOR_EACH = 10;

    private static final int RETRY_AFTER_SECONDS = 1;

    private final BufferLimits limits;
    private final LimitMeter meter;
    private final Usage usage;
    private final ByteBudgets<ClusterName> clusters;
    private final ByteBudgets<CallerName> callers;

    public BodyBytes(ByteBudget process, BufferLimits limits, LimitMeter meter, Usage usage) {
        this.limits = limits;
        this.meter = meter;
        this.usage = usage;
        this.clusters = new ByteBudgets<>(process, limits.perClusterBytesMax());
        this.callers = new ByteBudgets<>(ByteBudget.of(Long.MAX_VALUE), limits.perCallerBytesMax());
    }

    /** The largest body that fits at all. */
    int bodyBytesMax() {
        return (int) Math.min(Integer.MAX_VALUE, limits.perCallerBytesMax() / BYTES_FOR_EACH);
    }

    /** Starts counting a request's body at 0 bytes. */
    Taken of(ToHosted request) {
        return new Taken(request.target().name(), request.caller());
    }

    /** The bytes of one body; closing releases all of them. */
    final class Taken implements AutoCloseable {
        private final ClusterName name;
        private final ByteBudgets.Use cluster;
        private final CallerHold held;
        private final LongConsumer used;
        private long bytes;

        private Taken(ClusterName name, CallerName caller) {
            this.name = name;
            this.cluster = clusters.use(name);
            this.held = new CallerHold(callers.use(caller), cluster.budget());
            this.used = usage.holder(name, caller);
        }

        /**
         * Counts more bytes.
         *
         * @throws StatusException with 429 naming the exceeded limit
         */
        void grow(long more) {
            switch (held.grow(more)) {
                case HELD -> {
                    used.accept(more);
                    bytes += more;
                }
                case CALLER_FULL ->
                    throw refusal(Limit.BUFFERED_BYTES_PER_CALLER, "this caller", limits.perCallerBytesMax());
                case CLUSTER_FULL ->
                    throw cluster.budget().taken() + more > limits.perClusterBytesMax()
                            ? refusal(
                                    Limit.BUFFERED_BYTES_PER_CLUSTER,
                                    "cluster \"" + name + "\"",
                                    limits.perClusterBytesMax())
                            : refusal(Limit.BUFFERED_BYTES, "the gateway", limits.bytesMax());
            }
        }

        @Override
        public void close() {
            used.accept(-bytes);
            bytes = 0;
            held.close();
            cluster.close();
        }

        private StatusException refusal(Limit limit, String whose, long bytesMax) {
            meter.reached(limit);
            return new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many bytes of requests: " + whose + " has no room for more (expected at most " + bytesMax
                            + " at once, by " + limit.key() + "; try again later)",
                    "TooManyRequests",
                    RETRY_AFTER_SECONDS));
        }
    }
}
