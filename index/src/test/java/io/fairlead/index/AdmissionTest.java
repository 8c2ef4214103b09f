package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every limit is met by what reaches it and broken by one more. */
class AdmissionTest {
    private final Admission admission = new Admission(new IndexLimits(3, 5, 2, 1));

    @Test
    void holder_withoutNameOrUid_isRefused() {
        assertThat(admission.problem(new Holder(CRD, "", "u", "1", List.of()), 0))
                .hasValueSatisfying(problem -> assertThat(problem).contains("expected a name and a uid"));
        assertThat(admission.problem(new Holder(CRD, "n", "", "1", List.of()), 0))
                .hasValueSatisfying(problem -> assertThat(problem).contains("CRD n", "expected a name and a uid"));
        assertThat(admission.problem(new Holder(CRD, "n", "u", "", List.of()), 0))
                .isEmpty();
    }

    @Test
    void versionsAndResources_areCountedOverAllContributions() {
        assertThat(admission.problem(holder(CRD, versions(3, 1)), 0)).isEmpty();
        assertThat(admission.problem(holder(CRD, versions(4, 1)), 0))
                .hasValueSatisfying(problem -> assertThat(problem).contains("serves 4 versions, expected at most 3"));
        assertThat(admission.problem(holder(CRD, versions(1, 5)), 0)).isEmpty();
        assertThat(admission.problem(holder(CRD, versions(2, 3)), 0))
                .hasValueSatisfying(problem -> assertThat(problem).contains("serves 6 resources, expected at most 5"));
        assertThat(admission.problem(
                        holder(API_SERVICE, List.of(Contribution.unlisted(new GroupVersion("g", "v1")))), 0))
                .isEmpty();
    }

    @Test
    void coreGroup_isTheServersAlone() {
        List<Contribution> core = List.of(
                Contribution.of(new GroupVersion("g", "v1"), Set.of("foos")),
                Contribution.of(new GroupVersion("", "v1"), Set.of("pods")));

        assertThat(admission.problem(holder(BUILT_IN, core), 0)).isEmpty();
        assertThat(admission.problem(holder(CRD, core), 0))
                .hasValueSatisfying(problem -> assertThat(problem).contains("without a group"));
    }

    @Test
    void holdersOfACluster_areBounded() {
        assertThat(admission.problem(holder(CRD, versions(1, 1)), 1)).isEmpty();
        assertThat(admission.problem(holder(CRD, versions(1, 1)), 2))
                .hasValueSatisfying(problem -> assertThat(problem).contains("at most 2 holders"));
        Admission.Admitted admitted = admission.list(
                Set.of(CRD),
                List.of(
                        holder(CRD, versions(4, 1)),
                        holder(CRD, List.of()),
                        holder(CRD, List.of()),
                        holder(CRD, List.of())));
        assertThat(admitted.holders()).hasSize(2);
        assertThat(admitted.problems()).hasSize(2);
    }

    @Test
    void holderOfAnotherType_isNoPartOfAList() {
        assertThatThrownBy(() -> admission.list(Set.of(CRD), List.of(holder(BUILT_IN, List.of()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BUILT_IN n")
                .hasMessageContaining("[CRD]");
    }

    private static List<Contribution> versions(int count, int resourcesEach) {
        Set<String> resources =
                IntStream.range(0, resourcesEach).mapToObj(i -> "r" + i).collect(Collectors.toSet());
        return IntStream.range(0, count)
                .mapToObj(i -> Contribution.of(new GroupVersion("g", "v" + i), resources))
                .toList();
    }

    private static Holder holder(HolderType type, List<Contribution> contributions) {
        return new Holder(type, "n", "u", "1", contributions);
    }
}
