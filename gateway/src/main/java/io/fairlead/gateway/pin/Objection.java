package io.fairlead.gateway.pin;

import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.Verdict;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A pin's objection to a request.
 *
 * @param stale whether the only reason is missing knowledge
 * @param why the text for callers that may know every cluster
 * @param other the other cluster that this names, null if it names none
 */
record Objection(TypePin pin, boolean stale, String why, Verdict.@Nullable Other other) {
    /** The text of a warning. */
    String warning(Predicate<ClusterName> mayEnter) {
        return "TypePin \"" + pin.name() + "\": " + Verdict.words(why, other, mayEnter);
    }

    /** The text of a refusal. */
    Status refusal(RequestInfo info, Predicate<ClusterName> mayEnter) {
        return stale
                ? DigestHeader.notKnown(warning(mayEnter))
                : Status.forbidden(
                        info.groupResource(),
                        info.name(),
                        "TypePin \"" + pin.name() + "\" denied the request: " + Verdict.words(why, other, mayEnter));
    }
}
