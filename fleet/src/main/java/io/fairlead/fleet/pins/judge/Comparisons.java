package io.fairlead.fleet.pins.judge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.digest.CanonicalType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * How one type treats the objects of another, computed once for each pair.
 *
 * <p>Threads: any may query, and never waits; one computes the pending pairs.
 */
final class Comparisons {
    private static final int PAIRS_MAX = 10_000;
    private static final Outcome OPEN = new Outcome.Open();

    private final Function<TypeDigest, Optional<byte[]>> forms;
    private final Cache<Pair, Outcome> known =
            Caffeine.newBuilder().maximumSize(PAIRS_MAX).executor(Runnable::run).build();
    private final Set<Pair> asked = ConcurrentHashMap.newKeySet();

    /** Two types by the digests of their APIs. */
    private record Pair(TypeDigest wanted, TypeDigest actual) {}

    /** The result of a comparison. */
    sealed interface Outcome {
        /** Not computed yet. */
        record Open() implements Outcome {}

        /** The form of one of the types is missing; a later comparison may succeed. */
        record FormMissing() implements Outcome {}

        /**
         * How the actual type treats objects of the expected one.
         *
         * @param place the first difference, for people; empty if none
         */
        record Compared(Verdict verdict, String place) implements Outcome {}
    }

    /**
     * Over forms.
     *
     * @param forms looks up a type's canonical bytes, if some cluster defines it
     */
    Comparisons(Function<TypeDigest, Optional<byte[]>> forms) {
        this.forms = forms;
    }

    /** The known result for a pair; an unknown one is computed soon. */
    Outcome find(TypeDigest wanted, TypeDigest actual) {
        Pair pair = new Pair(wanted, actual);
        Outcome outcome = known.asMap().getOrDefault(pair, OPEN);
        if (!(outcome instanceof Outcome.Compared) && asked.size() < PAIRS_MAX) {
            asked.add(pair);
        }
        return outcome;
    }

    /** Computes the pairs queried since the last time. */
    void work() {
        for (Pair pair : List.copyOf(asked)) {
            asked.remove(pair);
            known.put(pair, outcome(pair.wanted(), pair.actual()));
        }
    }

    /**
     * How the actual type treats objects of the expected one; unknown if no cluster defines either. Takes milliseconds.
     */
    Verdict compare(TypeDigest wanted, TypeDigest actual) {
        return switch (outcome(wanted, actual)) {
            case Outcome.Compared(Verdict verdict, String _) -> verdict;
            case Outcome.FormMissing _, Outcome.Open _ -> Verdict.UNKNOWN;
        };
    }

    private Outcome outcome(TypeDigest wanted, TypeDigest actual) {
        Optional<byte[]> before = forms.apply(wanted);
        Optional<byte[]> after = forms.apply(actual);
        if (before.isEmpty() || after.isEmpty()) {
            return new Outcome.FormMissing();
        }
        TypeComparison comparison =
                TypeComparison.of(CanonicalType.read(before.get()), CanonicalType.read(after.get()));
        return new Outcome.Compared(comparison.verdict(), comparison.place());
    }
}
