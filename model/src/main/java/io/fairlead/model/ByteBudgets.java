package io.fairlead.model;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Parts of one budget, one for each key: a cluster's name, or a caller's. A part exists while something is held of it, so
 * that keys which callers choose cost nothing afterwards.
 *
 * <p>Threads: any; nothing blocks for long.
 *
 * @param <K> what has a part of its own; compared by {@code equals}
 */
public final class ByteBudgets<K> {
    private final ByteBudget whole;
    private final long bytesMaxOfEach;
    private final ConcurrentMap<K, Part> parts = new ConcurrentHashMap<>();

    /** A part in use, and by how many. */
    private record Part(ByteBudget budget, int users) {}

    /** One user's way to the part of a key; closing it ends the use and changes nothing of what is held. */
    public interface Use extends AutoCloseable {
        ByteBudget budget();

        @Override
        void close();
    }

    /**
     * Makes the parts of a budget.
     *
     * @param bytesMaxOfEach how much one key may take
     */
    public ByteBudgets(ByteBudget whole, long bytesMaxOfEach) {
        this.whole = whole;
        this.bytesMaxOfEach = bytesMaxOfEach;
    }

    /** The part of a key, shared by all who use it at the same time. */
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

    /** How many keys have a part now. */
    public int size() {
        return parts.size();
    }
}
