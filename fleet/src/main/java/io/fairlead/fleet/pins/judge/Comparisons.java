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
 * What one type is to the objects of another, worked out once for each pair.
 *
 * <p>Threads: any may ask, and never waits; one works out what was asked for.
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

    /** What came of a comparison. */
    sealed interface Outcome {
        /** It is still to be made. */
        record Open() implements Outcome {}

        /** There was no form of one of the types; it may come out otherwise later. */
        record FormMissing() implements Outcome {}

        /**
         * What the actual type is to objects of the wanted one.
         *
         * @param place where they differ first, for people; empty if they do not
         */
        record Compared(Verdict verdict, String place) implements Outcome {}
    }

    /**
     * Over forms.
     *
     * @param forms finds a type's canonical bytes, if some cluster defines it
     */
    Comparisons(Function<TypeDigest, Optional<byte[]>> forms) {
        this.forms = forms;
    }

    /** What is known of a pair by now; what is not, is worked out soon. */
    Outcome find(TypeDigest wanted, TypeDigest actual) {
        Pair pair = new Pair(wanted, actual);
        Outcome outcome = known.asMap().getOrDefault(pair, OPEN);
        if (!(outcome instanceof Outcome.Compared) && asked.size() < PAIRS_MAX) {
            asked.add(pair);
        }
        return outcome;
    }

    /** Works out what was asked for since the last time. */
    void work() {
        for (Pair pair : List.copyOf(asked)) {
            asked.remove(pair);
            known.put(pair, outcome(pair.wanted(), pair.actual()));
        }
    }

    /** What the actual type is to objects of the wanted one; unknown if no cluster defines either. Takes milliseconds. */
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
