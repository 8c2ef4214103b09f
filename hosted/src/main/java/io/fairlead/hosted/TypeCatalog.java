package io.fairlead.hosted;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one cluster serves now, built-in and custom.
 *
 * <p>Threads: any; a reader sees one whole state or another.
 */
public interface TypeCatalog {
    /** Everything served now: each resource once per served version, built-in kinds first, then by group and name. */
    Snapshot snapshot();

    /**
     * One state of the catalog.
     *
     * @param version grows with every change; equal versions mean equal types
     * @param types the served resources
     * @param aggregated what backends of APIServices serve, in the place of served resources of the same group and version
     */
    record Snapshot(long version, List<ResourceType> types, List<AggregatedVersion> aggregated) {
        public Snapshot {
            types = List.copyOf(types);
            aggregated = List.copyOf(aggregated);
        }

        /** One without backends. */
        public Snapshot(long version, List<ResourceType> types) {
            this(version, types, List.of());
        }

        /** The resource that a path names, or null if it is not served. */
        public @Nullable ResourceType find(String group, String version, String plural) {
            for (ResourceType type : types) {
                if (type.plural().equals(plural)
                        && type.group().equals(group)
                        && type.version().equals(version)) {
                    return type;
                }
            }
            return null;
        }
    }
}
