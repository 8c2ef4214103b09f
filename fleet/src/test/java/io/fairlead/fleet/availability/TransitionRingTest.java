package io.fairlead.fleet.availability;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The last transitions of a cluster: bounded, in order, and the same after they were stored. */
class TransitionRingTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final Finding READY = Finding.yes("Ready", "it is");
    private static final Finding LOST = Finding.no("Timeout", "no answer");

    @Test
    void sameStatus_isNoTransition_whateverItsReason() {
        TransitionRing ring = TransitionRing.EMPTY.with(READY, NOON, true);

        assertThat(ring.with(Finding.yes("Other", "it is"), NOON.plusSeconds(1), false))
                .isSameAs(ring);
        assertThat(ring.with(LOST, NOON.plusSeconds(1), false).transitions())
                .containsExactly(
                        new Transition(NOON, Finding.Status.TRUE, "Ready", true),
                        new Transition(NOON.plusSeconds(1), Finding.Status.FALSE, "Timeout", false));
    }

    @Test
    void firstSightOfAProcess_isKept_evenIfNothingHasChanged() {
        TransitionRing ring = TransitionRing.EMPTY.with(READY, NOON, true).with(READY, NOON.plusSeconds(60), true);

        assertThat(ring.transitions()).hasSize(2).allMatch(Transition::isFirstSight);
    }

    @Test
    void clockThatIsSetBack_movesNoTransitionBack() {
        TransitionRing ring = TransitionRing.EMPTY.with(READY, NOON, true).with(LOST, NOON.minusSeconds(60), false);

        assertThat(ring.transitions().getLast().observed()).isEqualTo(NOON);
    }

    @Test
    void ring_keepsTheNewest256() {
        TransitionRing ring = TransitionRing.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            ring = ring.with(i % 2 == 0 ? READY : LOST, NOON.plusSeconds(i), false);
        }

        assertThat(ring.transitions()).hasSize(256);
        assertThat(ring.transitions().getFirst().observed()).isEqualTo(NOON.plusSeconds(744));
        assertThat(ring.transitions().getLast().observed()).isEqualTo(NOON.plusSeconds(999));
    }

    @Test
    void text_isReadAsTheSameRing() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TransitionRing ring = TransitionRing.EMPTY;
        for (int i = 0; i < 300; i++) {
            Finding finding =
                    random.nextInt(3) == 0 ? Finding.unknown("NotTriedYet", "") : random.nextBoolean() ? READY : LOST;
            ring = ring.with(finding, NOON.plusMillis(random.nextLong(1_000_000)), random.nextInt(10) == 0);
        }

        assertThat(TransitionRing.of(ring.text())).as("seed %s", seed).isEqualTo(ring);
    }

    @Test
    void linesThatAreNoTransition_orGoBack_areLeftOut() {
        String text = """
            2026-01-02T12:00:00Z True Ready first-sight

            2026-01-02T12:00:01Z False
            yesterday False Timeout
            2026-01-02T11:59:59Z False Timeout
            2026-01-02T12:00:02Z False Timeout later
            2026-01-02T12:00:03Z False Timeout
            """;

        assertThat(TransitionRing.of(text).text()).isEqualTo("""
            2026-01-02T12:00:00Z True Ready first-sight
            2026-01-02T12:00:03Z False Timeout
            """);
    }
}
