package io.fairlead.hosted;

import java.util.List;
import java.util.Map;

/** The APIServices of a cluster that name services. Threads: any; nothing here waits. */
public interface ApiServices {
    /** Those that one cluster may have. */
    int MAX = 16;

    /** All of them, by name. */
    List<ApiService> all();

    /**
     * Tells what discovery and OpenAPI show of them from now on; what is not told is shown as stale and empty.
     *
     * @param versions by the uid of the APIService
     */
    void show(Map<String, AggregatedVersion> versions);
}
