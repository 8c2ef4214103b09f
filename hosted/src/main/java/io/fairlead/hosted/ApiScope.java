package io.fairlead.hosted;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** Which part of a cluster's API discovery and OpenAPI show to a request. Immutable, and equal by what they show. */
public sealed interface ApiScope {
    /** All that the cluster serves. */
    ApiScope WHOLE = new Whole();

    /** Whether the resources of a version are shown. */
    boolean has(GroupVersion version);

    /** All that the cluster serves. */
    record Whole() implements ApiScope {
        @Override
        public boolean has(GroupVersion version) {
            return true;
        }
    }

    /** Some versions of it, served or not. */
    record Versions(Set<GroupVersion> versions) implements ApiScope {
        public Versions {
            versions = Set.copyOf(versions);
        }

        @Override
        public boolean has(GroupVersion version) {
            return versions.contains(version);
        }
    }
}
