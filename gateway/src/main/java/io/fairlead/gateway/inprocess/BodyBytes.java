package io.fairlead.gateway.inprocess;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.route.ToHosted;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerHold;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;

/**
 * What the bodies of requests take while they are under way: in the process, for each cluster, and for each caller, who is the
 * one that authenticated, not the user that the request is made as.
 *
 * <p>A cluster's part is one of the process's. Callers are counted beside it, for all clusters together. Any thread.
 */
public final class BodyBytes {
    /** What a body becomes when it is read and written again, for each of its bytes. */
    static final int BYTES_FOR_EACH = 10;

    private static final int RETRY_AFTER_SECONDS = 1;

    private final EdgeLimits.Buffers limits;
    private final LimitMeter meter;
    private final ByteBudgets<ClusterName> clusters;
    private final ByteBudgets<CallerName> callers;

    public BodyBytes(ByteBudget process, EdgeLimits.Buffers limits, LimitMeter meter) {
        this.limits = limits;
        this.meter = meter;
        this.clusters = new ByteBudgets<>(process, limits.perClusterBytesMax());
        this.callers = new ByteBudgets<>(ByteBudget.of(Long.MAX_VALUE), limits.perCallerBytesMax());
    }

    /** The largest body that there is room for at all. */
    int bodyBytesMax() {
        return (int) Math.min(Integer.MAX_VALUE, limits.perCallerBytesMax() / BYTES_FOR_EACH);
    }

    /** Begins to count a request's body, of which there is nothing yet. */
    Taken of(ToHosted request) {
        return new Taken(request.target().name(), request.caller());
    }

    /** What one body takes; closing gives all of it back. */
    final class Taken implements AutoCloseable {
        private final ClusterName name;
        private final ByteBudgets.Use cluster;
        private final CallerHold held;

        private Taken(ClusterName name, CallerName caller) {
            this.name = name;
            this.cluster = clusters.use(name);
            this.held = new CallerHold(callers.use(caller), cluster.budget());
        }

        /**
         * Takes more.
         *
         * @throws StatusException with 429 naming the limit that leaves no room for it
         */
        void grow(long bytes) {
            switch (held.grow(bytes)) {
                case HELD -> {}
                case CALLER_FULL ->
                    throw refusal(Limit.BUFFERED_BYTES_PER_CALLER, "this caller", limits.perCallerBytesMax());
                case CLUSTER_FULL ->
                    throw cluster.budget().taken() + bytes > limits.perClusterBytesMax()
                            ? refusal(
                                    Limit.BUFFERED_BYTES_PER_CLUSTER,
                                    "cluster \"" + name + "\"",
                                    limits.perClusterBytesMax())
                            : refusal(Limit.BUFFERED_BYTES, "the gateway", limits.bytesMax());
            }
        }

        @Override
        public void close() {
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
