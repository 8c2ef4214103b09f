package io.fairlead.fleet.pins.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.Comparisons.Outcome;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.compare.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pairs of types are compared once. */
class ComparisonsTest {
    private static final Outcome UNKNOWN =
            new Outcome.Compared(Verdict.UNKNOWN, "v1 .length (x-kubernetes-of-tomorrow)");

    private final FleetIndex index = FleetIndex.create();
    private final DefinedType odd = Boats.with("\"x-kubernetes-of-tomorrow\": 1", index);
    private final DefinedType plain = Boats.upTo(8, index);
    private final List<TypeDigest> sought = new ArrayList<>();

    @Test
    void pairThatIsUnknown_isComparedOnce() {
        Comparisons comparisons = new Comparisons(this::form);
        comparisons.find(odd.api(), plain.api());
        comparisons.work();
        assertThat(comparisons.find(odd.api(), plain.api())).isEqualTo(UNKNOWN);
        sought.clear();

        comparisons.work();

        assertThat(sought).isEmpty();
    }

    @Test
    void pairOfWhichAFormIsMissing_isComparedAgain() {
        List<TypeDigest> missing = new ArrayList<>(List.of(odd.api()));
        Comparisons comparisons = new Comparisons(digest -> missing.contains(digest) ? Optional.empty() : form(digest));
        comparisons.find(plain.api(), odd.api());
        comparisons.work();
        assertThat(comparisons.find(plain.api(), odd.api())).isEqualTo(new Outcome.FormMissing());
        missing.clear();

        comparisons.work();

        assertThat(comparisons.find(plain.api(), odd.api())).isEqualTo(UNKNOWN);
    }

    private Optional<byte[]> form(TypeDigest digest) {
        sought.add(digest);
        return index.types().canonical(digest);
    }
}
