package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Condition;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of a cluster's condition Ready.
 *
 * @param observed when Fairlead observed it
 * @param ready the status from then on
 * @param reason why, in one word
 * @param isFirstSight whether it is the first observation of a process, which does not know since when it is so
 */
public record Transition(Instant observed, Finding.Status ready, String reason, boolean isFirstSight) {
    private static final String FIRST_SIGHT = "first-sight";

    /** Four words: {@code 2026-01-02T03:14:00.120Z False ConnectionFailed first-sight}; the last only if it is one. */
    String line() {
        return observed + " " + Condition.spelled(ready) + " " + reason + (isFirstSight ? " " + FIRST_SIGHT : "");
    }

    /** The transition of a line; empty if it is none. */
    static Optional<Transition> of(String line) {
        String[] words = line.split(" ", -1);
        boolean isFirstSight = words.length == 4 && words[3].equals(FIRST_SIGHT);
        if (words.length != 3 && !isFirstSight) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Transition(
                    Instant.parse(words[0]), Condition.status(words[1]), words[2].intern(), isFirstSight));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
