package io.fairlead.fleet.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.fleet.publication.PublicationCounts.State;
import io.fairlead.fleet.publication.PublicationCounts.Took;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What metrics tell of publications. */
final class PublicationCountsTest {
    private static final ClusterName EAST = new ClusterName("east");
    private static final ClusterName WEST = new ClusterName("west");
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private final PublicationCounts counts = new PublicationCounts();

    private static Progress upTo(Step last, Step failed) {
        Progress.Builder progress = new Progress.Builder();
        for (Step step : Step.values()) {
            if (step.compareTo(last) <= 0) {
                progress.add(step, Observed.done(""));
            }
        }
        return progress.add(failed, Observed.failed("Refused", "no")).build();
    }

    private void turn(int second, Map<ClusterName, Progress> targets) {
        PublicationCounts.Turn turn = counts.turn(BEGIN.plusSeconds(second));
        targets.forEach((target, progress) -> turn.add("uid", target, progress));
        turn.end();
    }

    private Map<String, Took> took() {
        Map<String, Took> all = new HashMap<>();
        counts.forEachStep(all::put);
        all.values().removeIf(took -> took.count() == 0);
        return all;
    }

    @Test
    void statesAreThoseOfTheLastTurn() {
        turn(0, Map.of(EAST, Progress.NONE, WEST, upTo(Step.CLAIMED, Step.SERVICE)));
        assertThat(counts.states())
                .containsEntry(new State("Claimed", "Waiting"), 1)
                .containsEntry(new State("Claimed", "Done"), 1)
                .containsEntry(new State("Service", "Failed"), 1)
                .containsEntry(new State("Available", "Waiting"), 2)
                .containsEntry(new State("Withdrawn", "Waiting"), 0);

        turn(
                1,
                Map.of(
                        EAST,
                        new Progress.Builder()
                                .add(Step.WITHDRAWN, Observed.failed("Down", ""))
                                .build()));

        assertThat(counts.states()).containsEntry(new State("Withdrawn", "Failed"), 1);
        assertThat(counts.states().values().stream().mapToInt(count -> count).sum())
                .isEqualTo(1);
    }

    @Test
    void stepTook_fromWhenItWasSeenUndone_untilItWasDone_onceForEachTime() {
        turn(0, Map.of(EAST, Progress.NONE, WEST, upTo(Step.CLAIMED, Step.SERVICE)));
        turn(2, Map.of(EAST, upTo(Step.CLAIMED, Step.SERVICE), WEST, upTo(Step.CLAIMED, Step.SERVICE)));
        turn(5, Map.of(EAST, upTo(Step.SERVICE, Step.ENDPOINTS), WEST, upTo(Step.CLAIMED, Step.SERVICE)));
        turn(6, Map.of(EAST, upTo(Step.SERVICE, Step.ENDPOINTS), WEST, upTo(Step.SERVICE, Step.ENDPOINTS)));

        assertThat(took())
                .containsOnlyKeys("Claimed", "Service")
                .containsEntry("Claimed", new Took(1, Duration.ofSeconds(2)))
                .containsEntry("Service", new Took(2, Duration.ofSeconds(11)));
    }

    @Test
    void publicationThatWent_isForgotten() {
        turn(0, Map.of(EAST, Progress.NONE));
        turn(1, Map.of());
        turn(2, Map.of(EAST, upTo(Step.CLAIMED, Step.SERVICE)));

        assertThat(took()).isEmpty();
    }

    @Test
    void failedProbes_areCountedByReason_ofWhichTargetsCannotMakeMany() {
        for (int each = 0; each < 100; each++) {
            counts.looked(new Progress.Builder()
                    .add(Step.PROBE, Observed.failed("R" + each, ""))
                    .build());
        }
        counts.looked(upTo(Step.PROBE, Step.REGISTERED));
        counts.looked(Progress.NONE);

        Map<String, Long> failures = new HashMap<>();
        counts.forEachProbeFailure(failures::put);
        assertThat(failures).hasSize(33).containsEntry("R0", 1L).containsEntry("Other", 69L);
    }
}
