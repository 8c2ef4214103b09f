package io.fairlead.gateway.guard;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchGuard;
import io.fairlead.model.ResourceVersion;
import java.util.Objects;

/** Judges the events of one watch, each as a whole. */
final class Judge {
    private final WatchGuard guard;

    Judge(WatchCursor start) {
        guard = new WatchGuard(start);
    }

    /** The gravest decision on what an event reports; what is not clear in it is not judged. */
    WatchDecision judge(ReadEvent event) {
        if (!event.isClear()) {
            return WatchDecision.UNGUARDED;
        }
        if (event.rows().isEmpty()) { // no Table, as nearly always
            return guard.judge(event.whole().as(event.type()));
        }
        WatchDecision gravest = null;
        for (WatchEvent step : event.steps()) {
            WatchDecision decision = guard.judge(step);
            if (gravest == null || decision.action().compareTo(gravest.action()) > 0) {
                gravest = decision;
            }
        }
        return Objects.requireNonNull(gravest);
    }

    /** Whether versions of this watch can be ordered, as far as they are known. */
    boolean isComparable() {
        return guard.cursor().comparable();
    }

    /** The highest version so far; there is one once an event was behind it. */
    ResourceVersion highWater() {
        return Objects.requireNonNull(guard.cursor().highWater());
    }
}
