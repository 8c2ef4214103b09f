package io.fairlead.hosted.kinds.data;

import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.JsonResources;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The place of a group's version in discovery (kubernetes {@code pkg/controlplane/apiserver}, {@code APIServicePriority}).
 *
 * @param groupPriorityMinimum the group with the highest comes first; 1 to 20000
 * @param versionPriority the version with the highest comes first in its group; 1 to 1000
 */
public record ApiServicePriority(int groupPriorityMinimum, int versionPriority) {
    /** That of every version that a CustomResourceDefinition serves: kube-aware order decides among them. */
    public static final ApiServicePriority OF_DEFINITIONS = new ApiServicePriority(1000, 100);

    private static final String RESOURCE = "api-service-priorities.json";

    /** That of a built-in version; null if kube-apiserver registers no APIService for it. */
    public static @Nullable ApiServicePriority ofBuiltIn(GroupVersion version) {
        return Holder.BUILT_IN.get(version);
    }

    private static final class Holder {
        static final Map<GroupVersion, ApiServicePriority> BUILT_IN = read();

        private static Map<GroupVersion, ApiServicePriority> read() {
            Map<GroupVersion, ApiServicePriority> priorities = new HashMap<>();
            JsonResources.read(ApiServicePriority.class, RESOURCE).forEachEntry((group, description) -> {
                int ofGroup = description.path("groupPriorityMinimum").intValue();
                description
                        .path("versions")
                        .forEachEntry((version, ofVersion) -> priorities.put(
                                new GroupVersion(group, version),
                                new ApiServicePriority(ofGroup, ofVersion.intValue())));
            });
            return Map.copyOf(priorities);
        }
    }
}
