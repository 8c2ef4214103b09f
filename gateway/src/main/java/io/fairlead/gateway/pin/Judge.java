package io.fairlead.gateway.pin;

import io.fairlead.gateway.pin.TypePin.Requirement;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.TypeDigest;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares what clusters define with what pins say. Never blocks; any thread. */
public final class Judge {
    private static final Verdict KEPT = new Verdict.Kept();

    private final KnownTypes types;

    public Judge(KnownTypes types) {
        this.types = types;
    }

    /**
     * Judges one type of one cluster.
     *
     * @param version the version that is asked for
     */
    public Verdict judge(TypePin pin, ClusterName cluster, GroupResource resource, String version) {
        return judge(pin, cluster, resource, version, types.find(cluster, resource, version));
    }

    Verdict judge(TypePin pin, ClusterName cluster, GroupResource resource, String version, KnownType known) {
        return switch (known) {
            case KnownType.Unknown unknown -> new Verdict.Stale(unknown.why());
            case KnownType.Absent absent -> new Verdict.Broken(absent.why());
            case KnownType.Undigested undigested -> new Verdict.Broken(undigested.why());
            case KnownType.Defined defined -> judge(pin, cluster, resource, version, defined);
        };
    }

    private Verdict judge(
            TypePin pin, ClusterName cluster, GroupResource resource, String version, KnownType.Defined defined) {
        if (!defined.type().understood()) {
            return new Verdict.Broken(definition(cluster, defined.type())
                    + " with keywords that are not understood, so that nobody can say what it means");
        }
        Verdict ofDefinition = switch (pin.requirement()) {
            case Requirement.Anything _ -> KEPT;
            case Requirement.OneOf(Set<TypeDigest> digests) -> oneOf(digests, cluster, version, defined.type());
            case Requirement.SameAcross(Set<ClusterName> clusters) ->
                sameAcross(clusters, cluster, resource, defined.type());
        };
        return ofDefinition instanceof Verdict.Kept ? byImplementation(pin, cluster, defined) : ofDefinition;
    }

    private static Verdict oneOf(Set<TypeDigest> digests, ClusterName cluster, String version, DefinedType type) {
        if (digests.contains(type.api())) {
            return KEPT;
        }
        for (DefinedVersion defined : type.versions()) {
            if (defined.name().equals(version) && digests.contains(defined.schema())) {
                return KEPT;
            }
        }
        return new Verdict.Broken(definition(cluster, type) + " (expected " + inWords(digests) + ")");
    }

    /** A cluster that differs says more than one of which little is known. */
    private Verdict sameAcross(
            Set<ClusterName> clusters, ClusterName cluster, GroupResource resource, DefinedType type) {
        Verdict verdict = KEPT;
        for (ClusterName other : clusters) {
            if (!other.equals(cluster) && types.isFollowed(other)) {
                switch (sameAs(other, cluster, resource, type)) {
                    case Verdict.Kept _ -> {}
                    case Verdict.Stale stale -> verdict = stale;
                    case Verdict.Broken broken -> {
                        return broken;
                    }
                }
            }
        }
        return verdict;
    }

    private Verdict sameAs(ClusterName other, ClusterName cluster, GroupResource resource, DefinedType type) {
        return switch (types.find(other, resource, "")) {
            case KnownType.Unknown unknown -> new Verdict.Stale(unknown.why());
            case KnownType.Absent _ -> KEPT;
            case KnownType.Undigested undigested -> new Verdict.Broken(undigested.why());
            case KnownType.Defined(DefinedType theirs, String _) ->
                theirs.api().equals(type.api())
                        ? KEPT
                        : new Verdict.Broken(definition(cluster, type) + ", and cluster \"" + other + "\" as "
                                + theirs.api() + " (expected the same)");
        };
    }

    private static Verdict byImplementation(TypePin pin, ClusterName cluster, KnownType.Defined defined) {
        if (pin.implementations().isEmpty() || pin.implementations().contains(defined.implementation())) {
            return KEPT;
        }
        String what = "what acts on " + words(defined.type()) + " in cluster \"" + cluster + "\" is ";
        String found = defined.implementation().isEmpty() ? "not recorded" : defined.implementation();
        return new Verdict.Broken(what + found + " (expected "
                + String.join(" or ", pin.implementations().stream().sorted().toList()) + ")");
    }

    private static String definition(ClusterName cluster, DefinedType type) {
        return "cluster \"" + cluster + "\" defines " + words(type) + " as " + type.api();
    }

    private static String words(DefinedType type) {
        return type.kind() + "." + type.group();
    }

    private static String inWords(Set<TypeDigest> digests) {
        return digests.stream().map(TypeDigest::text).sorted().collect(Collectors.joining(" or "));
    }
}
