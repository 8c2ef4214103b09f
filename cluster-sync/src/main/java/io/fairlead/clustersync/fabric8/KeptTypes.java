package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.AnswerLimits;
import java.util.Optional;

/**
 * How much is kept of the types of all attached clusters, in estimated bytes: a cluster decides by itself how many types it defines,
 * how many versions they have and how large their schemas are, and may go on to define more for as long as it is watched.
 *
 * <p>Threads: any.
 */
final class KeptTypes {
    private final AnswerLimits limits;

    /** Guarded, as that of its parts, by this object. */
    private long total;

    KeptTypes(AnswerLimits limits) {
        this.limits = limits;
    }

    /** What one store keeps. */
    OfStore ofStore() {
        return new OfStore();
    }

    /** The bytes that one store of a cluster's objects takes; closing gives them back, and nothing counts from then on. */
    final class OfStore implements AutoCloseable {
        private long taken;
        private boolean closed;

        private OfStore() {}

        /** Counts more bytes, or fewer if negative; otherwise answers which limit would be exceeded, for people. */
        Optional<String> add(long bytes) {
            synchronized (KeptTypes.this) {
                if (closed) {
                    return Optional.empty();
                }
                if (bytes > 0 && taken + bytes > limits.kept().bytesPerClusterMax()) {
                    return tooMuch(
                            "its types take more than " + limits.kept().bytesPerClusterMax(),
                            AnswerLimits.KEPT_BYTES_PER_CLUSTER);
                }
                if (bytes > 0 && total + bytes > limits.kept().bytesMax()) {
                    return tooMuch(
                            "with its types those of all clusters take more than "
                                    + limits.kept().bytesMax(),
                            AnswerLimits.KEPT_BYTES);
                }
                taken += bytes;
                total += bytes;
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            synchronized (KeptTypes.this) {
                closed = true;
                total -= taken;
                taken = 0;
            }
        }

        private Optional<String> tooMuch(String what, String key) {
            limits.reached().accept(key);
            return Optional.of(what + " bytes of memory (" + key + ")");
        }
    }
}
