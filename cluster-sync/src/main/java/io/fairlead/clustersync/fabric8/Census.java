package io.fairlead.clustersync.fabric8;

import java.util.Map;

/**
 * Which objects of one kind an API server has at one moment, each in which incarnation and version: enough to see whether what
 * was learnt of them still holds, at a fraction of what it takes to learn it.
 *
 * @param resourceVersion the moment
 * @param versions the resource version of each object by its key, as {@link StubStore} makes it
 */
record Census(String resourceVersion, Map<String, String> versions) {
    /** What a census says of what was learnt. */
    enum Verdict {
        /** It holds. */
        SAME,
        /** It lacks changes that a watch is still to tell. */
        BEHIND,
        /** It is of another history: no order of changes leads from it to the census. */
        OTHER_HISTORY
    }

    Census {
        versions = Map.copyOf(versions);
    }
}
