package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the conditions of clusters were last other ones, whatever the clock and the process do. */
final class FleetConditionsTest extends FleetFixture {
    @Test
    void clockThatIsSetBack_movesNoTransitionBack() {
        Instant ready = Instant.parse(transition("Ready"));
        clockAheadSeconds.set(-3_600);

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: true}}");
        awaitReady("dev", "False", "Paused");

        assertThat(Instant.parse(transition("Ready"))).isEqualTo(ready);
    }

    @Test
    void restart_withAClockThatIsBehind_movesNoTransitionBack() {
        Instant ready = Instant.parse(transition("Ready"));
        restart(-3_600, again -> {
            root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: true}}");
            awaitReady("dev", "False", "Paused");

            assertThat(Instant.parse(transition("Ready"))).isEqualTo(ready);
        });
    }

    @Test
    void restart_isNoTransitionOfWhatPinsSaid() {
        fleet.typesConsistent(Map.of(DEV, Finding.yes("Consistent", "they are")));
        eventually(
                "the pins' finding is written",
                () -> !transition("TypesConsistent").isEmpty());
        String before = transition("TypesConsistent");

        restart(3_600, again -> {
            observeAnew("dev");
            assertThat(transition("TypesConsistent"))
                    .as("before pins are compared")
                    .isEqualTo(before);

            again.typesConsistent(Map.of(DEV, Finding.yes("Consistent", "they are, still")));
            eventually(
                    "the pins' finding is written again",
                    () -> condition("dev", "TypesConsistent")
                            .path("message")
                            .asString("")
                            .endsWith("still"));
            assertThat(transition("TypesConsistent")).isEqualTo(before);

            again.typesConsistent(Map.of());
            eventually("no pin is about it", () -> transition("TypesConsistent").isEmpty());
        });
    }

    private String transition(String type) {
        return condition("dev", type).path("lastTransitionTime").asString("");
    }
}
