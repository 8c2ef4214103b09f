package io.fairlead.ittests;

import java.util.Map;

/** An informer on the ConfigMaps of namespace {@code default} in one cluster, and all that it was told. */
interface Follower extends AutoCloseable {
    String name();

    Sightings sightings();

    /** What its own cache holds at its end, by name. */
    Map<String, Sightings.Version> finish();

    @Override
    void close();
}
