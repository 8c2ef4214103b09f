package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TestSettings;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How soon a list is tried again, and in which pages. */
class ListPaceTest {
    private static final SyncSettings SETTINGS = TestSettings.patient();
    private static final ListFailure AWAY = new ListFailure(Finding.no("Any", "away"), true);
    private static final ListFailure REFUSED = new ListFailure(Finding.no("Any", "refused"), false);
    private static final ListFailure TOO_MUCH =
            new ListFailure(Finding.no("Any", "too much"), false, ListFailure.Excess.OF_READING);

    private long nowNanos = 1;
    private final ListPace pace = new ListPace(SETTINGS, new Random(1), () -> nowNanos);

    @Test
    void failures_areTriedAgainLater_eachTime_untilAListIsComplete() {
        assertBetween(pace.after(REFUSED), 250, 500);
        assertBetween(pace.after(REFUSED), 500, 1_000);
        assertBetween(pace.after(REFUSED), 1_000, 2_000);

        pace.listed();

        assertBetween(pace.after(REFUSED), 250, 500);
    }

    @Test
    void serverThatIsThereAgain_isTriedAsAtFirst() {
        pace.after(AWAY);
        pace.after(AWAY);

        pace.returned();

        assertBetween(pace.after(AWAY), 250, 500);
    }

    @Test
    void awayAlone_isAwaited() {
        assertThat(pace.isAwaited()).isFalse();
        pace.after(AWAY);
        assertThat(pace.isAwaited()).isTrue();
        pace.after(REFUSED);
        assertThat(pace.isAwaited()).isFalse();
    }

    @Test
    void listThatWasOfUseForAWhile_isSteady() {
        assertThat(pace.isSteady()).isFalse();
        pass(60);
        assertThat(pace.isSteady()).as("none was complete").isFalse();
        pace.listed();
        pass(10);
        assertThat(pace.isSteady()).isFalse();
        nowNanos++;
        assertThat(pace.isSteady()).isTrue();
    }

    @Test
    void listsThatAreNotOfUseForLong_areTriedLessAndLessOften_thoughTheySucceed() {
        ListFailure tooSoon = ListPace.tooSoon("/crds");
        assertThat(tooSoon.isTooSoon()).isTrue();
        assertThat(tooSoon.finding().message()).contains("/crds", "within 10 s");
        for (long whole : new long[] {500, 1_000, 2_000, 4_000}) {
            pace.listed();
            assertBetween(pace.after(tooSoon), whole / 2, whole);
        }

        pace.listed();
        pass(11);

        assertBetween(pace.after(tooSoon), 250, 500);
        assertBetween(pace.after(tooSoon), 500, 1_000);
    }

    /** An API server that was begun anew forgets its history once or twice, and is not the cause of what others did before. */
    @Test
    void historyThatIsForgotten_byAServerThatIsBack_isListedSoon() {
        ListFailure tooSoon = ListPace.tooSoon("/crds");
        for (int i = 0; i < 7; i++) {
            pace.listed();
            pace.after(tooSoon);
        }

        pace.returned();

        assertBetween(pace.after(tooSoon), 250, 500);
    }

    @Test
    void listThatIsTooMuchToKeep_isNotAskedForInSmallerPages() {
        assertThat(pace.after(new ListFailure(Finding.no("Any", "too much"), false, ListFailure.Excess.OF_KEEPING)))
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(pace.pageSize()).isEqualTo(100);
    }

    @Test
    void listThatIsTooLarge_isAskedForInSmallerPages_soon_andThenNotForLong() {
        assertThat(pace.pageSize()).isEqualTo(100);
        assertThat(pace.after(TOO_MUCH)).isEqualTo(SETTINGS.retryFirst());
        assertThat(pace.pageSize()).isEqualTo(10);
        assertThat(pace.after(TOO_MUCH)).isEqualTo(SETTINGS.retryFirst());
        assertThat(pace.pageSize()).isEqualTo(1);
        assertThat(pace.after(TOO_MUCH)).isEqualTo(Duration.ofMinutes(5));
        assertThat(pace.pageSize()).isEqualTo(1);

        pace.listed();
        pass(11);

        assertBetween(pace.after(REFUSED), 250, 500);
        assertThat(pace.pageSize()).as("after a list that was of use").isEqualTo(100);
    }

    private void pass(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    private static void assertBetween(Duration wait, long fromMillis, long toMillis) {
        assertThat(wait).isBetween(Duration.ofMillis(fromMillis), Duration.ofMillis(toMillis));
    }
}
