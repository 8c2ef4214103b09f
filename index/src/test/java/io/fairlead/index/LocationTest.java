package io.fairlead.index;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LocationTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Set<HolderType> ALL = Set.of(BUILT_IN, CRD, API_SERVICE);
    private static final Holder FOOS = crd("foos", "v1", "v2");
    private static final Holder BARS = crd("bars", "v1");
    private static final Holder CORE = new Holder(
            BUILT_IN, "core", "core", "1", List.of(Contribution.of(new GroupVersion("", "v1"), Set.of("pods"))));
    private static final Holder BESIDE_CRDS = new Holder(
            BUILT_IN,
            "example.com",
            "example.com",
            "1",
            List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("builtins"))));
    private static final Holder METRICS = apiService("v1.metrics.example.com", "metrics.example.com");
    private static final Holder OVER_CRDS = apiService("v1.example.com", "example.com");
    private static final Holder UNLISTED = new Holder(
            BUILT_IN, "v1.apps", "u-apps", "1", List.of(Contribution.unlisted(new GroupVersion("apps", "v1"))));

    private final Map<Answer, Integer> counted = Collections.synchronizedMap(new EnumMap<>(Answer.class));
    private final FleetIndex index = new FleetIndex(
            IndexLimits.NONE,
            new IndexMetrics() {
                @Override
                public void looked(Answer answer) {
                    counted.merge(answer, 1, Integer::sum);
                }
            },
            InstantSource.system());
    private final ClusterLedger ledger = index.open(PROD, ALL);

    @Test
    void resourceOfACrd_isLocatedAtTheCrd_inTheVersionsThatItServes() {
        ledger.relist(ALL, List.of(FOOS, BARS, CORE), "7");

        assertThat(locate("example.com", "v1", "foos").holder()).isEqualTo(FOOS);
        assertThat(locate("example.com", "v2", "foos").holder()).isEqualTo(FOOS);
        assertThat(locate("example.com", "v1", "bars").holder()).isEqualTo(BARS);
        assertThat(locate("example.com", "v1", "foos").holders()).containsExactly(FOOS);
        assertThat(locate("example.com", "v1", "foos").evidence().resourceVersion())
                .isEqualTo("7");
        assertThat(locate("example.com", "v1", "foos").view()).contains(ledger.view());
        assertThat(index.locate(new ClusterName("nowhere"), "example.com", "v1", "foos")
                        .view())
                .isEmpty();
        Location other = locate("example.com", "v2", "bars");
        assertThat(other.answer()).isEqualTo(Answer.ABSENT);
        assertThat(other.holder()).isNull();
        assertThat(other.holders()).isEmpty();
    }

    @Test
    void resourceOfTheServer_isLocatedAtNoOther_thoughACrdOfItsNameIsThereInAnotherVersion() {
        Holder sameName = crd("builtins", "v9");
        ledger.relist(ALL, List.of(CORE, BESIDE_CRDS, sameName), "7");

        assertThat(locate("", "v1", "pods").answer()).isEqualTo(Answer.SERVED);
        assertThat(locate("", "v1", "pods").holder()).isNull();
        assertThat(locate("", "v1", "pods").holders()).containsExactly(CORE);
        assertThat(locate("example.com", "v1", "builtins").answer()).isEqualTo(Answer.SERVED);
        assertThat(locate("example.com", "v1", "builtins").holder()).isNull();
        assertThat(locate("example.com", "v9", "builtins").holder()).isEqualTo(sameName);
    }

    @Test
    void groupVersionOfAnApiService_isLocatedThere_whateverTheResource_andBeforeAnyCrd() {
        ledger.relist(ALL, List.of(METRICS, OVER_CRDS, FOOS), "7");

        assertThat(locate("metrics.example.com", "v1", "anything").holder()).isEqualTo(METRICS);
        assertThat(locate("metrics.example.com", "v1", "anything").holders()).containsExactly(METRICS);
        assertThat(locate("example.com", "v1", "foos").holder()).isEqualTo(OVER_CRDS);
        assertThat(locate("example.com", "v2", "foos").holder()).isEqualTo(FOOS);
    }

    @Test
    void whatCannotBeTold_hasNoHolder() {
        assertThat(locate("example.com", "v1", "foos").answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(index.locate(new ClusterName("other"), "example.com", "v1", "foos")
                        .evidence())
                .isEqualTo(Evidence.NONE);
        ledger.relist(ALL, List.of(UNLISTED, FOOS), "7");

        assertThat(locate("apps", "v1", "deployments").answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(locate("apps", "v1", "deployments").holder()).isNull();
        assertThat(locate("apps", "v1", "deployments").reason()).isEqualTo(Lookup.Reason.RESOURCES_UNLISTED);
        ledger.markLost(Set.of(CRD));
        assertThat(locate("example.com", "v1", "foos").holder())
                .as("what was known stands")
                .isEqualTo(FOOS);
        assertThat(locate("example.com", "v1", "bars").answer()).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void location_saysWhatTheLookupSays_ofEveryResource_andIsCountedOnce() {
        List<Holder> many = Stream.concat(
                        Stream.of(CORE, METRICS, BESIDE_CRDS, UNLISTED),
                        IntStream.range(0, 200).mapToObj(i -> crd("t" + i, i % 2 == 0 ? "v1" : "v2")))
                .toList();
        ledger.relist(ALL, many, "7");
        int looked = 0;
        for (String group : List.of("", "example.com", "metrics.example.com", "apps", "none.example.com")) {
            for (String version : List.of("v1", "v2")) {
                for (String resource : List.of("pods", "t0", "t1", "t198", "t199", "builtins", "none")) {
                    Location location = index.locate(PROD, group, version, resource);
                    Lookup lookup = index.explain(PROD, group, version, resource);
                    looked++;
                    assertThat(location.answer()).isEqualTo(lookup.answer());
                    assertThat(location.reason())
                            .isEqualTo(lookup instanceof Lookup.Unknown unknown ? unknown.reason() : null);
                    assertThat(location.holders())
                            .isEqualTo(lookup instanceof Lookup.Served served ? served.holders() : List.of());
                    assertThat(location.holder())
                            .isEqualTo(location.holders().stream()
                                    .filter(holder -> holder.type() != BUILT_IN)
                                    .findFirst()
                                    .orElse(null));
                }
            }
        }
        assertThat(counted.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(looked);
    }

    private Location locate(String group, String version, String resource) {
        return index.locate(PROD, group, version, resource);
    }

    private static Holder crd(String plural, String... versions) {
        return new Holder(
                CRD,
                plural + ".example.com",
                "u-" + plural,
                "1",
                Stream.of(versions)
                        .map(version -> Contribution.of(new GroupVersion("example.com", version), Set.of(plural)))
                        .toList());
    }

    private static Holder apiService(String name, String group) {
        return new Holder(
                API_SERVICE, name, "u-" + name, "1", List.of(Contribution.unlisted(new GroupVersion(group, "v1"))));
    }
}
