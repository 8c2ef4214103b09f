package io.fairlead.hosted;

import io.fairlead.model.GroupVersion;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A group and version of a backend as discovery shows it.
 *
 * @param groupPriority as in {@link ApiService}
 * @param versionPriority as in {@link ApiService}
 * @param isCurrent whether the backend says now what it serves; otherwise it is stale
 * @param resources {@code APIResourceDiscovery} of apidiscovery.k8s.io/v2, as the backend says; none while it is stale
 * @param openApi the hash of its document of OpenAPI v3; empty if it has none
 */
public record AggregatedVersion(
        GroupVersion groupVersion,
        int groupPriority,
        int versionPriority,
        boolean isCurrent,
        List<JsonNode> resources,
        String openApi) {
    public AggregatedVersion {
        resources = List.copyOf(resources);
    }

    /** One of which nothing is known yet. */
    public static AggregatedVersion unknown(ApiService service) {
        return new AggregatedVersion(
                service.groupVersion(), service.groupPriority(), service.versionPriority(), false, List.of(), "");
    }
}
