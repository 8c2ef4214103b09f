package io.fairlead.index;

/**
 * How much a holder, a cluster and a fleet may claim. A holder beyond its limit claims nothing and is reported; the others
 * are indexed all the same. Each is a key of the configuration.
 *
 * @param versionsPerHolderMax group/versions of one holder
 * @param resourcesPerHolderMax resources of one holder, counted for each version
 * @param holdersPerClusterMax holders of one cluster; those beyond, by name, claim nothing
 * @param waitersPerClusterMax callers that wait for a cluster's view at the same time
 */
public record IndexLimits(
        int versionsPerHolderMax, int resourcesPerHolderMax, int holdersPerClusterMax, int waitersPerClusterMax) {
    /** For what only its own process feeds. */
    public static final IndexLimits NONE =
            new IndexLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
}
