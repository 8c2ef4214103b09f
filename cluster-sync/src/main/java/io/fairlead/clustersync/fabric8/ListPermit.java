package io.fairlead.clustersync.fabric8;

import org.jspecify.annotations.Nullable;

/** Finds the list of a page. */
@FunctionalInterface
interface ListPermit {
    /**
     * The turn of the current list at a path, without its query; null where lists are not limited.
     *
     * @param firstPage whether the page is a list's first
     */
    ListLimiter.@Nullable Turn list(String path, boolean firstPage);
}
