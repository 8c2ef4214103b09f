package io.fairlead.fleet.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RequiredPublicationsTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Publication OPTIONAL = gated("Optional");
    private static final Publication REQUIRED = gated("Required");

    private final RequiredPublications.Builder all = new RequiredPublications.Builder(Map.of(PROD, "uid"));

    private static Publication gated(String gate) {
        return Publication.of(
                Json.read("{\"metadata\": {\"name\": \"widgets\"}, \"spec\": {\"gate\": \"" + gate + "\"}}"), Map::of);
    }

    @Test
    void whatIsOptional_isNotAmongThem() {
        all.add(PROD, OPTIONAL, Progress.NONE);

        assertThat(all.build().in(PROD, "uid")).contains(Map.of());
    }

    @Test
    void clusterThatWasNotLookedAt_orIsAnotherOne_isNotKnown() {
        assertThat(all.build().in(PROD, "uid of another")).isEmpty();
        assertThat(all.build().in(new ClusterName("new"), "uid")).isEmpty();
        assertThat(RequiredPublications.NOT_LOOKED.in(PROD, "uid")).isEmpty();
    }

    @Test
    void publicationThatWasNotLookedAt_leavesTheClusterUnknown() {
        all.add(PROD, REQUIRED, Progress.NONE);

        assertThat(all.build().in(PROD, "uid")).isEmpty();
    }

    @Test
    void publicationIsAvailable_onceItsLastStepIsDone() {
        all.add(
                PROD,
                REQUIRED,
                new Progress.Builder()
                        .add(Step.AVAILABLE, Observed.failed("FailedDiscoveryCheck", "no"))
                        .build());
        assertThat(all.build().in(PROD, "uid")).contains(Map.of("widgets", Finding.no("FailedDiscoveryCheck", "no")));

        all.add(
                PROD,
                REQUIRED,
                new Progress.Builder().add(Step.AVAILABLE, Observed.done("1")).build());
        assertThat(all.build().in(PROD, "uid")).contains(Map.of("widgets", Finding.yes("Passed", "it is available")));
    }
}
