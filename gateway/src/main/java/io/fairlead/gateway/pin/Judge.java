package io.fairlead.gateway.pin;

import io.fairlead.gateway.pin.TypePin.Agreement;
import io.fairlead.gateway.pin.TypePin.Requirement;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.TypeStore;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.TypeDigest;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Compares what clusters define with what pins say.
 *
 * <p>Threads: any, and never blocks; but for {@link #work} and {@link #compare}, which are for one thread that has time.
 */
public final class Judge {
    private static final Verdict KEPT = new Verdict.Kept();

    /** How long clusters are taken to agree unless something changes. */
    private static final long AGREED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final KnownTypes types;
    private final Comparisons comparisons;

    /**
     * Over what is known.
     *
     * @param store the forms of the types
     */
    public Judge(KnownTypes types, TypeStore store) {
        this.types = types;
        this.comparisons = new Comparisons(store::canonical);
    }

    /** What it judges by. */
    public KnownTypes types() {
        return types;
    }

    /** Works out the comparisons that judging asked for; until then what needs them is stale. */
    public void work() {
        comparisons.work();
    }

    /** What a type is to the objects of another, in a word ({@code Wider}). */
    public String compare(TypeDigest before, TypeDigest after) {
        return comparisons.compare(before, after).text();
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
            return new Verdict.Broken(definition(cluster, defined.type()));
        }
        Verdict ofDefinition = switch (pin.requirement()) {
            case Requirement.Anything _ -> KEPT;
            case Requirement.OneOf(Set<TypeDigest> digests) -> oneOf(digests, cluster, version, defined.type());
            case Requirement.CompatibleWith(TypeDigest wanted) -> compatibleWith(wanted, cluster, defined.type());
            case Requirement.SameAcross across -> sameAcross(across, cluster, resource, defined.type());
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

    private Verdict compatibleWith(TypeDigest wanted, ClusterName cluster, DefinedType type) {
        if (wanted.equals(type.api())) {
            return KEPT;
        }
        io.fairlead.schema.compare.Verdict verdict = comparisons.find(wanted, type.api());
        if (verdict == null) {
            return new Verdict.Stale(definition(cluster, type) + ", which is still to be compared with " + wanted);
        }
        return verdict.isCompatible()
                ? KEPT
                : new Verdict.Broken(definition(cluster, type) + ", which is " + verdict.text() + " beside " + wanted
                        + " (expected Equal or Wider; types that no cluster defines are Unknown)");
    }

    private Verdict sameAcross(
            Requirement.SameAcross across, ClusterName cluster, GroupResource resource, DefinedType type) {
        long changeCount = types.changeCount();
        long now = System.nanoTime();
        Agreement agreement = across.agreement(resource);
        if (agreement != null
                && agreement.changeCount() == changeCount
                && now - agreement.untilNanos() < 0
                && agreement.api().equals(type.api())) {
            return KEPT;
        }
        Verdict verdict = sameInAll(across.clusters(), cluster, resource, type);
        if (verdict instanceof Verdict.Kept) {
            across.agreed(resource, new Agreement(type.api(), changeCount, now + AGREED_NANOS));
        }
        return verdict;
    }

    /** A cluster that differs says more than one of which little is known. */
    private Verdict sameInAll(
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

    /** What a cluster defines, in words; and that nobody can say what it means, if that is so. */
    static String definition(ClusterName cluster, DefinedType type) {
        String definition = "cluster \"" + cluster + "\" defines " + words(type) + " as " + type.api();
        return type.understood()
                ? definition
                : definition + " with keywords that are not understood, so that nobody can say what it means";
    }

    private static String words(DefinedType type) {
        return type.kind() + "." + type.group();
    }

    private static String inWords(Set<TypeDigest> digests) {
        return digests.stream().map(TypeDigest::text).sorted().collect(Collectors.joining(" or "));
    }
}
