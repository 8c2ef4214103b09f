package io.fairlead.fleet.pins.judge;

import io.fairlead.model.ClusterName;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whether a type is what a pin says. */
public sealed interface Verdict {
    /** It is. */
    record Kept() implements Verdict {}

    /**
     * It is not, or that cannot be told.
     *
     * @param why for those who may know of every cluster
     * @param other the other cluster that this names, null if it names none
     */
    record Broken(String why, @Nullable Other other) implements Verdict {
        Broken(String why) {
            this(why, null);
        }
    }

    /**
     * What is known is too old or not there yet, so that it may be or not.
     *
     * @param why for those who may know of every cluster
     * @param other the other cluster that this names, null if it names none
     */
    record Stale(String why, @Nullable Other other) implements Verdict {
        Stale(String why) {
            this(why, null);
        }
    }

    /**
     * A cluster that words name beside the one that was asked.
     *
     * @param withheld the words for those who may not enter it, the same whichever it is
     */
    record Other(ClusterName cluster, String withheld) {}

    /**
     * The words for one who may enter some clusters.
     *
     * @param why the words for those who may enter all
     */
    static String words(String why, @Nullable Other other, Predicate<ClusterName> mayEnter) {
        return other == null || mayEnter.test(other.cluster()) ? why : other.withheld();
    }
}
