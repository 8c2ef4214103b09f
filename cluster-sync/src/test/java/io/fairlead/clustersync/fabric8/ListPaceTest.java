package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.SyncSettings;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListPaceTest {
    private static final ListFailure FORGOTTEN = ListPace.tooSoon("/crds");

    private final ListPace pace = new ListPace(SyncSettings.defaults(), new Random(1), () -> 0);

    @Test
    void historyThatIsForgottenAgainAndAgain_isListedLessAndLessOften() {
        assertThat(longestOf(7)).isGreaterThan(Duration.ofSeconds(10));
    }

    /** An API server that was begun anew forgets it once or twice, and is not the cause of what others did before. */
    @Test
    void historyThatIsForgotten_byAServerThatIsBack_isListedSoon() {
        longestOf(7);

        pace.returned();

        assertThat(longestOf(2)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    private Duration longestOf(int failures) {
        Duration longest = Duration.ZERO;
        for (int i = 0; i < failures; i++) {
            pace.listed();
            Duration wait = pace.after(FORGOTTEN);
            longest = wait.compareTo(longest) > 0 ? wait : longest;
        }
        return longest;
    }
}
