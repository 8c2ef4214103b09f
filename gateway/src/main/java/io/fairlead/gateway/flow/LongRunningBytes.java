package io.fairlead.gateway.flow;

import io.fairlead.config.ByteSize;
import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import java.util.function.Function;

/**
 * What open watches, logs, proxied calls and upgraded streams keep in the heap while nothing happens. A client opens them by the
 * thousand and chooses what each keeps: its head, until an answer begins and in parts for as long as it is open, and the
 * selectors of a watch of a hosted cluster, which take many times their text: of one letter and a comma, which require a label,
 * become a string and a requirement.
 *
 * <p>Threads: any; nothing blocks.
 */
final class LongRunningBytes {
    /** Of a watch of a hosted cluster with its stream and its parked thread, as measured. */
    private static final long OF_EACH = 8 * 1024;

    /** For a byte of the query, at worst: each two make a requirement. */
    private static final long TIMES_QUERY = 40;

    /** For a byte of the head: as it came, in a buffer of up to twice its size, and as it is sent on. */
    private static final long TIMES_HEAD = 3;

    private final ByteBudget all;
    private final long clusterMax;
    private final long callerMax;

    /** By default a quarter of the heap; three quarters of that for one cluster, and three quarters of these for one caller. */
    LongRunningBytes(LimitSettings limits) {
        all = ByteBudget.of(ByteSize.bytes(
                limits.longRunningBytesMax(), Runtime.getRuntime().maxMemory() / 4));
        clusterMax = ByteSize.bytes(limits.longRunningBytesPerClusterMax(), all.bytesMax() / 4 * 3);
        callerMax = ByteSize.bytes(limits.longRunningBytesPerCallerMax(), clusterMax / 4 * 3);
    }

    OfCluster ofCluster() {
        return new OfCluster();
    }

    /** Those of one cluster. */
    final class OfCluster {
        private final ByteBudget cluster = all.part(clusterMax);
        private final ByteBudgets<CallerName> callers = new ByteBudgets<>(cluster, callerMax);

        /**
         * Takes what a request keeps and returns what gives it back.
         *
         * @throws StatusException by {@code refusal}, for the limit without room
         */
        Runnable take(CallerName caller, Described request, Function<Limit, StatusException> refusal) {
            long bytes = OF_EACH
                    + TIMES_QUERY * request.target().query().length()
                    + TIMES_HEAD * request.received().headBytes();
            ByteBudgets.Use use = callers.use(caller);
            if (!use.budget().take(bytes)) {
                Limit full = full(use.budget(), bytes);
                use.close();
                throw refusal.apply(full);
            }
            return () -> {
                use.budget().give(bytes);
                use.close();
            };
        }

        private Limit full(ByteBudget ofCaller, long bytes) {
            if (ofCaller.taken() + bytes > ofCaller.bytesMax()) {
                return Limit.LONG_RUNNING_BYTES_PER_CALLER;
            }
            return cluster.taken() + bytes > cluster.bytesMax()
                    ? Limit.LONG_RUNNING_BYTES_PER_CLUSTER
                    : Limit.LONG_RUNNING_BYTES;
        }
    }
}
