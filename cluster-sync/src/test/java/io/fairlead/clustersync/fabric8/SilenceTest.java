package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** For how long a server has said nothing. */
class SilenceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long nowNanos = 1_000;
    private final Silence silence = new Silence(() -> nowNanos);

    @Test
    void silence_beforeTheFirstList_isForEver() {
        assertThat(silence.heard()).isFalse();
        nowNanos += 100 * SECOND;
        assertThat(silence.heard()).as("nothing to lapse").isFalse();

        assertThat(silence.nanos(true)).isEqualTo(Long.MAX_VALUE);
        assertThat(silence.nanos(false)).isEqualTo(Long.MAX_VALUE);
        assertThat(silence.isQuiet()).isFalse();
        assertThat(silence.hasLapsed()).isFalse();
    }

    @Test
    void watchThatStands_isReliedOn_forAsLongAsABookmarkTakes() {
        silence.listed();
        assertThat(silence.nanos(true)).isZero();

        nowNanos += 90 * SECOND;
        assertThat(silence.nanos(true)).isZero();
        nowNanos++;
        assertThat(silence.nanos(true)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void withoutAWatch_silenceCountsFromTheLastWord() {
        silence.listed();
        assertThat(silence.nanos(false)).as("never nothing").isEqualTo(1);

        nowNanos += 5 * SECOND;
        assertThat(silence.heard()).isFalse();
        nowNanos += 7 * SECOND;

        assertThat(silence.nanos(false)).isEqualTo(7 * SECOND);
    }

    @Test
    void wordAfterALongSilence_isALapse_whichOnlyAListEnds() {
        silence.listed();
        nowNanos += 90 * SECOND;
        assertThat(silence.heard()).isFalse();
        nowNanos += 90 * SECOND + 1;

        assertThat(silence.heard()).isTrue();
        assertThat(silence.hasLapsed()).isTrue();
        assertThat(silence.heard()).as("once").isFalse();
        assertThat(silence.nanos(true)).isEqualTo(90 * SECOND + 1);
        silence.confirmed(nowNanos);
        assertThat(silence.nanos(true)).as("a census does not count").isEqualTo(90 * SECOND + 1);

        silence.listed();
        assertThat(silence.hasLapsed()).isFalse();
        assertThat(silence.nanos(true)).isZero();
    }

    @Test
    void lapse_isWhatABrokenWatchLeaves() {
        silence.listed();
        silence.lapse();

        nowNanos += SECOND;

        assertThat(silence.hasLapsed()).isTrue();
        assertThat(silence.nanos(true)).isEqualTo(SECOND);
    }

    @Test
    void confirmation_countsFromItsOwnTime_andNeverBackwards() {
        silence.listed();
        long listed = nowNanos;
        nowNanos += 76 * SECOND;
        assertThat(silence.isQuiet()).isTrue();

        silence.confirmed(nowNanos - SECOND);
        assertThat(silence.isQuiet()).isFalse();
        assertThat(silence.nanos(false)).isEqualTo(SECOND);
        silence.confirmed(listed);
        assertThat(silence.nanos(false)).isEqualTo(SECOND);
    }

    @Test
    void quiet_isAfterSeventyFiveSeconds() {
        silence.listed();
        nowNanos += 75 * SECOND;
        assertThat(silence.isQuiet()).isFalse();
        nowNanos++;
        assertThat(silence.isQuiet()).isTrue();
    }
}
