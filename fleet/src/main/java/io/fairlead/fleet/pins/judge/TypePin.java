package io.fairlead.fleet.pins.judge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.index.DefinedType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What types of a group shall mean in some clusters, and what becomes of requests where they do not.
 *
 * @param name the object's name
 * @param clusters where
 * @param group the API group
 * @param kind the kind, or {@value #EVERY} for all of the group
 * @param versions the versions of requests that it concerns; all if empty
 * @param verbs the verbs of requests that it concerns, {@value #EVERY} for all
 * @param requirement what the definition must be
 * @param implementations what must act on the type, one of these; nothing in particular if empty
 * @param action what becomes of a request otherwise
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

    /** The verbs that change something. */
    public static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    public TypePin {
        versions = Set.copyOf(versions);
        verbs = Set.copyOf(verbs);
        implementations = Set.copyOf(implementations);
    }

    /** What a definition must be. */
    public sealed interface Requirement {
        /** Anything. */
        record Anything() implements Requirement {}

        /** The API or the schema has one of these digests. */
        record OneOf(Set<TypeDigest> digests) implements Requirement {
            public OneOf {
                digests = Set.copyOf(digests);
            }
        }

        /** Whoever works with the API of this digest works with it: it is equal or wider. */
        record CompatibleWith(TypeDigest api) implements Requirement {}

        /** The same API as in all of these clusters that hold the type; remembers for a while that they agree. */
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

            /** What all defined when it was last worked out; null if that was never, or they did not agree. */
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
     * That clusters define the same.
     *
     * @param api what they define
     * @param clusters which clusters
     * @param changeCount of the index, taken before anything was looked up
     * @param untilNanos when it is to be worked out again, since what is known grows stale without a change
     */
    record Agreement(TypeDigest api, Set<ClusterName> clusters, long changeCount, long untilNanos) {
        boolean holds(DefinedType type, Set<ClusterName> ofClusters, long changeCountNow, long nowNanos) {
            return changeCount == changeCountNow
                    && nowNanos - untilNanos < 0
                    && api.equals(type.api())
                    && clusters.equals(ofClusters);
        }
    }

    /** What becomes of a request whose type is not what it shall be. */
    public enum Action {
        /** It is refused; and while that is not known, too. */
        DENY,
        /** It is answered with a warning. */
        WARN,
        /** It is counted and logged. */
        AUDIT
    }

    /** Whether it concerns requests of a group in which it stands. */
    public boolean concerns(ClusterName cluster, String version, String verb) {
        return (verbs.contains(verb) || verbs.contains(EVERY))
                && (versions.isEmpty() || versions.contains(version))
                && clusters.has(cluster);
    }

    /** Whether it concerns a kind. */
    public boolean concernsKind(String other) {
        return kind.equals(EVERY) || kind.equals(other);
    }
}
