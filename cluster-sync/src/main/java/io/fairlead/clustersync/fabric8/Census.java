package io.fairlead.clustersync.fabric8;

import java.util.Map;

/**
 * The objects of one kind that an API server has at one moment, with incarnation and version: enough to check whether
 * the known objects are current, at a fraction of the cost of listing them.
 *
 * @param resourceVersion the moment
 * @param versions the resource version of each object by its key, as {@link StubStore} makes it
 */
record Census(String resourceVersion, Map<String, String> versions) {
    /** The result of a comparison with the known objects. */
    enum Verdict {
        /** They are equal. */
        SAME,
        /** The known objects lack changes that a watch is still to report. */
        BEHIND,
        /** The census is of another history: no sequence of changes leads to it. */
        OTHER_HISTORY
    }

    Census {
        versions = Map.copyOf(versions);
    }
}
