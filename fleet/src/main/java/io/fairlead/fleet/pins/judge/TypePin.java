package io.fairlead.fleet.pins.judge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.index.DefinedType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A requirement on types of a group in some clusters, and the action on requests where it is not met.
 *
 * @param name the object's name
 * @param clusters the clusters
 * @param group the API group
 * @param kind the kind, or {@value #EVERY} for all of the group
 * @param versions the versions of requests that it concerns; all if empty
 * @param verbs the verbs of requests that it concerns, {@value #EVERY} for all
 * @param requirement what the definition must be
 * @param implementations the allowed controllers of the type; any if empty
 * @param action the action on a request otherwise
 */
public record TypePin(
        String name,
        ClusterSet clusters,
        String group,
        String kind,
        Set<String> versions,
        Set<String> verbs,
        Requirement requirement,
        Set<String> implementations,
        Action action) {
    /** Stands for every kind, and for every verb. */
    public static final String EVERY = "*";

    /** The verbs that change objects. */
    public static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    public TypePin {
        versions = Set.copyOf(versions);
        verbs = Set.copyOf(verbs);
        implementations = Set.copyOf(implementations);
    }

    /** A requirement on the definition. */
    public sealed interface Requirement {
        /** Anything. */
        record Anything() implements Requirement {}

        /** The API or the schema has one of these digests. */
        record OneOf(Set<TypeDigest> digests) implements Requirement {
            public OneOf {
                digests = Set.copyOf(digests);
            }
        }

        /** Clients of the API with this digest work with it: it is equal or wider. */
        record CompatibleWith(TypeDigest api) implements Requirement {}

        /** The same API as in all of these clusters that have the type; caches their agreement for a while. */
        final class SameAcross implements Requirement {
            private static final int AGREEMENTS_MAX = 10_000;

            private final ClusterSet clusters;

            /** By group and kind. */
            private final Cache<String, Agreement> agreements = Caffeine.newBuilder()
                    .maximumSize(AGREEMENTS_MAX)
                    .executor(Runnable::run)
                    .build();

            public SameAcross(ClusterSet clusters) {
                this.clusters = clusters;
            }

            public ClusterSet clusters() {
                return clusters;
            }

            /** The agreed API when last computed; null if never, or if they did not agree. */
            @Nullable
            Agreement agreement(DefinedType type) {
                return agreements.getIfPresent(type.groupKind());
            }

            void agreed(DefinedType type, Agreement agreement) {
                agreements.put(type.groupKind(), agreement);
            }
        }
    }

    /**
     * An agreement of clusters.
     *
     * @param api the common API
     * @param clusters the clusters
     * @param changeCount of the index, read before the look-up
     * @param untilNanos when to compute it again, since knowledge becomes stale without a change
     */
    record Agreement(TypeDigest api, Set<ClusterName> clusters, long changeCount, long untilNanos) {
        boolean holds(DefinedType type, Set<ClusterName> ofClusters, long changeCountNow, long nowNanos) {
            return changeCount == changeCountNow
                    && nowNanos - untilNanos < 0
                    && api.equals(type.api())
                    && clusters.equals(ofClusters);
        }
    }

    /** The action on a request whose type does not match. */
    public enum Action {
        /** Refuse it; also while the type is unknown. */
        DENY,
        /** Answer it with a warning. */
        WARN,
        /** Count and log it. */
        AUDIT
    }

    /** Whether it applies to requests of its group. */
    public boolean concerns(ClusterName cluster, String version, String verb) {
        return (verbs.contains(verb) || verbs.contains(EVERY))
                && (versions.isEmpty() || versions.contains(version))
                && clusters.has(cluster);
    }

    /** Whether it applies to a kind. */
    public boolean concernsKind(String other) {
        return kind.equals(EVERY) || kind.equals(other);
    }
}
