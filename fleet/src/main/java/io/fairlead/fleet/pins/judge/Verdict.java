package io.fairlead.fleet.pins.judge;

import io.fairlead.model.ClusterName;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whether a type matches a pin. */
public sealed interface Verdict {
    /** It matches. */
    record Kept() implements Verdict {}

    /**
     * It does not, or that cannot be determined.
     *
     * @param why the text for callers that may know every cluster
     * @param other the other cluster that this names, null if it names none
     */
    record Broken(String why, @Nullable Other other) implements Verdict {
        Broken(String why) {
            this(why, null);
        }
    }

    /**
     * The knowledge is too old or missing, so it may match or not.
     *
     * @param why the text for callers that may know every cluster
     * @param other the other cluster that this names, null if it names none
     */
    record Stale(String why, @Nullable Other other) implements Verdict {
        Stale(String why) {
            this(why, null);
        }
    }

    /**
     * Another cluster that a text names.
     *
     * @param withheld the text for callers that may not enter it, the same for all clusters
     */
    record Other(ClusterName cluster, String withheld) {}

    /**
     * The text for a caller that may enter some clusters.
     *
     * @param why the text for callers that may enter all
     */
    static String words(String why, @Nullable Other other, Predicate<ClusterName> mayEnter) {
        return other == null || mayEnter.test(other.cluster()) ? why : other.withheld();
    }
}
