package io.fairlead.gateway.pin;

import io.fairlead.model.TypeDigest;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.digest.CanonicalType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one type is to the objects of another, worked out once for each pair.
 *
 * <p>Threads: any may ask, and never waits; one works out what was asked for.
 */
final class Comparisons {
    private static final int PAIRS_MAX = 10_000;

    private final Function<TypeDigest, Optional<byte[]>> forms;
    private final ConcurrentMap<Pair, Outcome> known = new ConcurrentHashMap<>();
    private final Set<Pair> asked = ConcurrentHashMap.newKeySet();

    /** Two types by the digests of their APIs. */
    private record Pair(TypeDigest wanted, TypeDigest actual) {}

    /** What came of a comparison; it may come out otherwise later if a form was missing. */
    private record Outcome(Verdict verdict, boolean formMissing) {}

    /**
     * Over forms.
     *
     * @param forms finds a type's canonical bytes, if some cluster defines it
     */
    Comparisons(Function<TypeDigest, Optional<byte[]>> forms) {
        this.forms = forms;
    }

    /** What the actual type is to objects of the wanted one; null until that is worked out. */
    @Nullable
    Verdict find(TypeDigest wanted, TypeDigest actual) {
        Pair pair = new Pair(wanted, actual);
        Outcome outcome = known.get(pair);
        if ((outcome == null || outcome.formMissing()) && asked.size() < PAIRS_MAX) {
            asked.add(pair);
        }
        return outcome == null ? null : outcome.verdict();
    }

    /** Works out what was asked for since the last time. */
    void work() {
        if (known.size() > PAIRS_MAX) {
            known.clear();
        }
        for (Pair pair : List.copyOf(asked)) {
            asked.remove(pair);
            known.put(pair, outcome(pair.wanted(), pair.actual()));
        }
    }

    /** What the actual type is to objects of the wanted one; unknown if no cluster defines either. Takes milliseconds. */
    Verdict compare(TypeDigest wanted, TypeDigest actual) {
        return outcome(wanted, actual).verdict();
    }

    private Outcome outcome(TypeDigest wanted, TypeDigest actual) {
        Optional<byte[]> before = forms.apply(wanted);
        Optional<byte[]> after = forms.apply(actual);
        if (before.isEmpty() || after.isEmpty()) {
            return new Outcome(Verdict.UNKNOWN, true);
        }
        TypeComparison comparison =
                TypeComparison.of(CanonicalType.read(before.get()), CanonicalType.read(after.get()));
        return new Outcome(comparison.verdict(), false);
    }
}
