package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** APIServices that hide definitions of the same cluster. */
final class ShadowsTest {
    private static final GroupVersion V1 = new GroupVersion("example.com", "v1");
    private static final Holder SERVICE =
            new Holder(HolderType.API_SERVICE, "v1.example.com", "uid", "1", List.of(Contribution.unlisted(V1)));

    private final ClusterLedger ledger =
            FleetIndex.create().open(new ClusterName("prod"), Set.of(HolderType.CRD, HolderType.API_SERVICE));

    @Test
    void beforeTheFirstList_itIsNotKnown() {
        assertThat(finding().status()).isEqualTo(Finding.Status.UNKNOWN);
    }

    @Test
    void service_isNamedWithAllThatItHides_untilItGoes() {
        list(SERVICE, crd("boats", V1), crd("ships", V1), crd("masts", new GroupVersion("example.com", "v2")));

        assertThat(finding().status()).isEqualTo(Finding.Status.TRUE);
        assertThat(finding().message())
                .contains("APIService v1.example.com hides the definitions of example.com/v1: boats.example.com,"
                        + " ships.example.com")
                .doesNotContain("masts");

        ledger.delete(HolderType.API_SERVICE, "v1.example.com", "uid", "2");

        assertThat(finding()).isEqualTo(Finding.no("NotShadowed", "no APIService hides a CustomResourceDefinition"));
    }

    @Test
    void definitionThatIsNotEstablished_isNotHidden() {
        list(SERVICE, new Holder(HolderType.CRD, "boats.example.com", "boats", "1", List.of()));

        assertThat(finding().status()).isEqualTo(Finding.Status.FALSE);
    }

    @Test
    void thousandsOfDefinitions_areNamedAsFarAsAMessageGoes() {
        list(Stream.concat(Stream.of(SERVICE), IntStream.range(0, 5_000).mapToObj(i -> crd("boats" + i, V1)))
                .toArray(Holder[]::new));

        assertThat(finding().message()).hasSizeBetween(16 << 10, 17 << 10).contains("…");
    }

    private void list(Holder... holders) {
        ledger.relist(Set.of(HolderType.CRD, HolderType.API_SERVICE), List.of(holders), "1");
    }

    private Finding finding() {
        return Shadows.of(ledger.view()).finding();
    }

    private static Holder crd(String plural, GroupVersion groupVersion) {
        return new Holder(
                HolderType.CRD,
                plural + "." + groupVersion.group(),
                plural,
                "1",
                List.of(Contribution.of(groupVersion, Set.of(plural))));
    }
}
