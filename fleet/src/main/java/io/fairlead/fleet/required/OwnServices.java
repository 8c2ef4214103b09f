package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;

/** The APIServices that a cluster has of its own. */
public interface OwnServices {
    /** Whether it is known which there are: unknown as long as that takes a moment, false with the reason if it cannot be. */
    Finding state();

    /**
     * Whether one is available.
     *
     * @param name {@code version.group}; {@code v1.} is that of the core group
     */
    Finding of(String name);
}
