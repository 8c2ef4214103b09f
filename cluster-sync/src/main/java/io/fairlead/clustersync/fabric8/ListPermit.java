package io.fairlead.clustersync.fabric8;

import org.jspecify.annotations.Nullable;

/** Says which list a page belongs to. */
@FunctionalInterface
interface ListPermit {
    /**
     * The turn of the list that is under way at a path, without its query; null where no lists are bounded.
     *
     * @param firstPage whether the page is a list's first
     */
    ListLimiter.@Nullable Turn list(String path, boolean firstPage);
}
