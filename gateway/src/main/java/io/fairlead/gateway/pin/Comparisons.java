package io.fairlead.gateway.pin;

import io.fairlead.index.TypeStore;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.digest.CanonicalType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What one type is to the objects of another, worked out once for each pair.
 *
 * <p>Threads: any may ask, and never waits; one works out what was asked for.
 */
final class Comparisons {
    private static final int PAIRS_MAX = 10_000;

    private final TypeStore store;
    private final ConcurrentMap<Pair, Verdict> known = new ConcurrentHashMap<>();
    private final Set<Pair> asked = ConcurrentHashMap.newKeySet();

    /** Two types by the digests of their APIs. */
    private record Pair(TypeDigest wanted, TypeDigest actual) {}

    Comparisons(TypeStore store) {
        this.store = store;
    }

    /** What the actual type is to objects of the wanted one; null until that is worked out. */
    @Nullable
    Verdict find(TypeDigest wanted, TypeDigest actual) {
        Pair pair = new Pair(wanted, actual);
        Verdict verdict = known.get(pair);
        boolean mayBeStoredLater = verdict == Verdict.UNKNOWN;
        if ((verdict == null || mayBeStoredLater) && asked.size() < PAIRS_MAX) {
            asked.add(pair);
        }
        return verdict;
    }

    /** Works out what was asked for since the last time. */
    void work() {
        if (known.size() > PAIRS_MAX) {
            known.clear();
        }
        for (Pair pair : List.copyOf(asked)) {
            asked.remove(pair);
            known.put(pair, compare(pair.wanted(), pair.actual()));
        }
    }

    /** What the actual type is to objects of the wanted one; unknown if no cluster defines either. Takes milliseconds. */
    Verdict compare(TypeDigest wanted, TypeDigest actual) {
        Optional<byte[]> before = store.canonical(wanted);
        Optional<byte[]> after = store.canonical(actual);
        return before.isEmpty() || after.isEmpty()
                ? Verdict.UNKNOWN
                : TypeComparison.of(CanonicalType.read(before.get()), CanonicalType.read(after.get()))
                        .verdict();
    }
}
