package io.fairlead.index;

import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every type that some cluster of the fleet defines, stored once; counted by the holders in the ledgers. A type without
 * a definition is dropped after a grace time, so that a definition that is deleted and created again need not be
 * compiled again. It is dropped at a later call of the store.
 *
 * <p>Threads: any; uses a lock, taken inside a ledger's stripe and never around one.
 */
public final class TypeStore {
    /** How long a type is kept after its last holder was removed. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    private static final long SWEEP_MILLIS = 1_000;

    /** What those without a holder may take: a cluster can define and delete types faster than their grace time passes. */
    private static final long UNHELD_BYTES_MAX = 8 << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final InstantSource clock;
    private final Interner<StoredType> shared = new Interner<>();
    private final Interner<DefinedType> definitions = new Interner<>();
    private final Map<TypeDigest, StoredType> kept = new HashMap<>();
    private long holders;
    private long unheldBytes;
    private long nextSweepMillis;

    TypeStore(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The type with a digest; kept for the grace time even if no holder of it is reported.
     *
     * @param canonical its canonical bytes, called if it is not kept
     */
    public StoredType keep(TypeDigest api, Supplier<byte[]> canonical) {
        StoredType known = find(api);
        StoredType type = known == null ? shared.intern(new StoredType(api, canonical.get())) : known;
        lock.lock();
        try {
            if (type.holders == 0) {
                sweep();
                unheldBytes += kept.put(api, type) == null ? type.size() : 0;
                type.unheldSinceMillis = clock.millis();
            }
            return type;
        } finally {
            lock.unlock();
        }
    }

    /** The stored definition that equals this one. */
    public DefinedType shared(DefinedType definition) {
        return definitions.intern(definition);
    }

    /** The canonical bytes of a type that some cluster defines, or did within the grace time. */
    public Optional<byte[]> canonical(TypeDigest api) {
        return Optional.ofNullable(find(api)).map(StoredType::canonical);
    }

    /** Whether some cluster defines a type, or did within the grace time. */
    public boolean has(TypeDigest api) {
        return find(api) != null;
    }

    /** The number of kept types ({@code fairlead_types_distinct}). */
    public int distinct() {
        lock.lock();
        try {
            sweep();
            return kept.size();
        } finally {
            lock.unlock();
        }
    }

    /** The number of holders that define a type, summed over clusters ({@code fairlead_types_holders}). */
    public long holders() {
        lock.lock();
        try {
            return holders;
        } finally {
            lock.unlock();
        }
    }

    /** Counts a holder in place of another; null stands for none, and many define nothing. */
    void replace(@Nullable Holder before, @Nullable Holder after) {
        DefinedType gone = before == null ? null : before.defines();
        DefinedType come = after == null ? null : after.defines();
        if (Objects.equals(gone, come)) {
            return;
        }
        lock.lock();
        try {
            if (come != null) {
                hold(come.stored());
            }
            if (gone != null) {
                release(gone.stored());
            }
            sweep();
        } finally {
            lock.unlock();
        }
    }

    /** Counts all holders of a table in place of those of another. */
    void replace(HolderTable before, HolderTable after) {
        if (!before.equals(after)) {
            after.holders().forEach(holder -> replace(null, holder));
            before.holders().forEach(holder -> replace(holder, null));
        }
    }

    /** Throws unless the counts match the holders of all clusters. */
    void assertConsistent(List<HolderTable> tables) {
        Map<StoredType, Integer> counted = new HashMap<>();
        for (HolderTable table : tables) {
            for (Holder holder : table.holders()) {
                if (holder.defines() != null) {
                    counted.merge(holder.defines().stored(), 1, Integer::sum);
                }
            }
        }
        lock.lock();
        try {
            for (StoredType type : kept.values()) {
                require(
                        type.holders == counted.getOrDefault(type, 0),
                        "type " + type + " is counted once for each holder");
            }
            require(kept.values().containsAll(counted.keySet()), "a type is kept while a holder defines it");
            require(
                    holders
                            == counted.values().stream()
                                    .mapToInt(count -> count)
                                    .sum(),
                    "holders of types are counted");
        } finally {
            lock.unlock();
        }
    }

    private static void require(boolean condition, String rule) {
        if (!condition) {
            throw new AssertionError("index: broken rule: " + rule);
        }
    }

    private @Nullable StoredType find(TypeDigest api) {
        lock.lock();
        try {
            sweep();
            return kept.get(api);
        } finally {
            lock.unlock();
        }
    }

    private void hold(StoredType type) {
        if (type.holders == 0 && kept.put(type.api(), type) != null) {
            unheldBytes -= type.size();
        }
        type.holders++;
        holders++;
    }

    private void release(StoredType type) {
        type.holders--;
        holders--;
        if (type.holders == 0) {
            type.unheldSinceMillis = clock.millis();
            unheldBytes += type.size();
        }
    }

    /**
     * Drops types without a definition for the grace time, and all of them if they take too much; checks all types at most once a
     * second otherwise.
     */
    private void sweep() {
        long now = clock.millis();
        boolean tooMuch = unheldBytes > UNHELD_BYTES_MAX;
        if (tooMuch || now >= nextSweepMillis) {
            nextSweepMillis = now + SWEEP_MILLIS;
            kept.values()
                    .removeIf(
                            type -> type.holders == 0 && (tooMuch || now - type.unheldSinceMillis >= GRACE.toMillis()));
            unheldBytes = kept.values().stream()
                    .filter(type -> type.holders == 0)
                    .mapToLong(StoredType::size)
                    .sum();
        }
    }
}
