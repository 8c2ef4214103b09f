package io.fairlead.model;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Parts of one budget, one for each key: a cluster's name, or a caller's. A part exists only while it is in use, so
 * that keys chosen by callers cost nothing afterwards.
 *
 * <p>Threads: any; nothing blocks for long.
 *
 * @param <K> the key of a part; compared by {@code equals}
 */
public final class ByteBudgets<K> {
    private final ByteBudget whole;
    private final long bytesMaxOfEach;
    private final ConcurrentMap<K, Part> parts = new ConcurrentHashMap<>();

    /** A part in use, with the number of its users. */
    private record Part(ByteBudget budget, int users) {}

    /** One use of the part of a key; closing it ends the use and releases no bytes. */
    public interface Use extends AutoCloseable {
        ByteBudget budget();

        @Override
        void close();
    }

    /**
     * Creates the parts of a budget.
     *
     * @param bytesMaxOfEach the limit of one key
     */
    public ByteBudgets(ByteBudget whole, long bytesMaxOfEach) {
        this.whole = whole;
        this.bytesMaxOfEach = bytesMaxOfEach;
    }

    /** The part of a key, shared by its concurrent users. */
    public Use use(K key) {
        Part part = parts.compute(
                key,
                (_, known) -> known == null
                        ? new Part(whole.part(bytesMaxOfEach), 1)
                        : new Part(known.budget(), known.users() + 1));
        return new Use() {
            private boolean ended;

            @Override
            public ByteBudget budget() {
                return part.budget();
            }

            @Override
            public synchronized void close() {
                if (!ended) {
                    ended = true;
                    parts.computeIfPresent(
                            key, (_, known) -> known.users() == 1 ? null : new Part(known.budget(), known.users() - 1));
                }
            }
        };
    }

    /** The number of keys with a part now. */
    public int size() {
        return parts.size();
    }
}
