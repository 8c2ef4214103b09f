package io.fairlead.canary.owners;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Condition;
import io.fairlead.model.TransitionTime;
import java.time.Instant;

/** Writes a condition of which another class is the writer, and the time of its transition: two rules must name it. */
final class WritesCondition {
    private WritesCondition() {}

    static Condition condition() {
        return new Condition(Condition.READY, Finding.yes("Ready", "so it is"));
    }

    static String time(Instant now) {
        return TransitionTime.next("", true, now);
    }
}
