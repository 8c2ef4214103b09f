package io.fairlead.fleet.pins.judge;

import io.fairlead.fleet.pins.judge.Comparisons.Outcome;
import io.fairlead.fleet.pins.judge.TypePin.Agreement;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.TypeStore;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.TypeDigest;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Compares clusters' definitions with pins.
 *
 * <p>Threads: any, and never blocks, except {@link #work} and {@link #compare}, which are slow and for one thread.
 */
public final class Judge {
    private static final Verdict KEPT = new Verdict.Kept();

    /** How long an agreement of clusters is cached unless something changes. */
    private static final long AGREED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The most of a pin's digests or images to name in an answer. */
    private static final int ALLOWED_TOLD_MAX = 3;

    private final KnownTypes types;
    private final TypeStore store;
    private final Comparisons comparisons;

    /**
     * A judge over the known types.
     *
     * @param store the forms of the types
     */
    public Judge(KnownTypes types, TypeStore store) {
        this.types = types;
        this.store = store;
        this.comparisons = new Comparisons(store::canonical);
    }

    /** The types of clusters. */
    public KnownTypes types() {
        return types;
    }

    /** Computes the comparisons that judging needed; until then, verdicts that need them are stale. */
    public void work() {
        comparisons.work();
    }

    /** The relation of a type to another, in a word ({@code Wider}). */
    public String compare(TypeDigest before, TypeDigest after) {
        return comparisons.compare(before, after).text();
    }

    /**
     * Judges one type of one cluster.
     *
     * @param version the requested version
     */
    public Verdict judge(TypePin pin, ClusterName cluster, GroupResource resource, String version) {
        return judge(pin, Question.of(types, cluster, resource, version));
    }

    public Verdict judge(TypePin pin, Question question) {
        return switch (question.known()) {
            case KnownType.Unknown unknown -> new Verdict.Stale(unknown.why());
            case KnownType.Absent absent -> new Verdict.Broken(absent.why());
            case KnownType.Undigested undigested -> new Verdict.Broken(undigested.why());
            case KnownType.Defined defined -> judge(pin, question, defined);
        };
    }

    private Verdict judge(TypePin pin, Question question, KnownType.Defined defined) {
        ClusterName cluster = question.cluster();
        DefinedType type = defined.type();
        if (!type.understood()) {
            return new Verdict.Broken(definition(cluster, type));
        }
        Verdict ofDefinition = switch (pin.requirement()) {
            case Requirement.Anything _ -> KEPT;
            case Requirement.OneOf(Set<TypeDigest> digests) -> oneOf(digests, cluster, question.version(), type);
            case Requirement.CompatibleWith(TypeDigest wanted) -> compatibleWith(wanted, cluster, type);
            case Requirement.SameAcross across -> sameAcross(across, question, type);
        };
        return ofDefinition instanceof Verdict.Kept ? byImplementation(pin, cluster, defined) : ofDefinition;
    }

    private Verdict oneOf(Set<TypeDigest> digests, ClusterName cluster, String version, DefinedType type) {
        if (digests.contains(type.api())) {
            return KEPT;
        }
        for (DefinedVersion defined : type.versions()) {
            if (defined.name().equals(version) && digests.contains(defined.schema())) {
                return KEPT;
            }
        }
        return new Verdict.Broken(definition(cluster, type) + " (expected "
                + inWords(digests.stream().map(TypeDigest::text)) + differenceFrom(digests, type) + ")");
    }

    /** Where a type differs from the first named digest that some cluster defines, if that is known by now. */
    private String differenceFrom(Set<TypeDigest> digests, DefinedType type) {
        List<TypeDigest> told = digests.stream()
                .sorted(Comparator.comparing(TypeDigest::text))
                .limit(ALLOWED_TOLD_MAX)
                .toList();
        for (TypeDigest digest : told) {
            if (store.has(digest) && comparisons.find(digest, type.api()) instanceof Outcome.Compared compared) {
                String from = told.size() == 1 ? ", from which it differs" : ", and it differs from " + digest;
                return from + at(compared.place());
            }
        }
        return "";
    }

    /** Where two types differ, as a suffix; empty while that is not computed. */
    private String differenceBetween(TypeDigest one, TypeDigest other) {
        return comparisons.find(one, other) instanceof Outcome.Compared(var _, String place) && !place.isEmpty()
                ? ", which differs" + at(place)
                : "";
    }

    private static String at(String place) {
        return place.isEmpty() ? "" : " at " + place;
    }

    private Verdict compatibleWith(TypeDigest wanted, ClusterName cluster, DefinedType type) {
        if (wanted.equals(type.api())) {
            return KEPT;
        }
        return switch (comparisons.find(wanted, type.api())) {
            case Outcome.Open _ -> stillToBeCompared(wanted, cluster, type);
            case Outcome.FormMissing _ -> withoutForm(wanted, cluster, type);
            case Outcome.Compared(var verdict, String place) ->
                verdict.isCompatible()
                        ? KEPT
                        : new Verdict.Broken(definition(cluster, type) + ", which is " + verdict.text() + " beside "
                                + wanted + at(place) + " (expected Equal or Wider)");
        };
    }

    /** A cluster with unlisted types may define the required one. */
    private Verdict withoutForm(TypeDigest wanted, ClusterName cluster, DefinedType type) {
        boolean isOver = store.has(wanted) && store.has(type.api());
        if (isOver) {
            return stillToBeCompared(wanted, cluster, type);
        }
        return types.areAllListed()
                ? new Verdict.Broken(definition(cluster, type) + ", which is Unknown beside " + wanted
                        + ", since no cluster defines that (expected Equal or Wider)")
                : new Verdict.Stale(definition(cluster, type) + ", which cannot be compared with " + wanted
                        + " while the types of some cluster are not listed");
    }

    private static Verdict stillToBeCompared(TypeDigest wanted, ClusterName cluster, DefinedType type) {
        return new Verdict.Stale(definition(cluster, type) + ", which is still to be compared with " + wanted);
    }

    private Verdict sameAcross(Requirement.SameAcross across, Question question, DefinedType type) {
        Set<ClusterName> clusters = across.clusters().names();
        long now = System.nanoTime();
        Agreement agreement = across.agreement(type);
        if (agreement != null && agreement.holds(type, clusters, question.changeCount(), now)) {
            return KEPT;
        }
        Verdict verdict = sameInAll(clusters, question.cluster(), type);
        if (verdict instanceof Verdict.Kept) {
            across.agreed(type, new Agreement(type.api(), clusters, question.changeCount(), now + AGREED_NANOS));
        }
        return verdict;
    }

    /** A cluster that differs has priority over one of which little is known. */
    private Verdict sameInAll(Set<ClusterName> clusters, ClusterName cluster, DefinedType type) {
        Verdict verdict = KEPT;
        for (ClusterName other : clusters) {
            if (!other.equals(cluster) && types.isFollowed(other)) {
                for (KnownType theirs : types.findAll(other, type.group(), type.kind())) {
                    switch (sameAs(theirs, other, cluster, type)) {
                        case Verdict.Kept _ -> {}
                        case Verdict.Stale stale -> verdict = stale;
                        case Verdict.Broken broken -> {
                            return broken;
                        }
                    }
                }
            }
        }
        return verdict;
    }

    private Verdict sameAs(KnownType known, ClusterName other, ClusterName cluster, DefinedType type) {
        return switch (known) {
            case KnownType.Unknown unknown ->
                new Verdict.Stale(
                        unknown.why(),
                        new Verdict.Other(
                                other,
                                definition(cluster, type) + ", and too little is known now of another cluster's types"
                                        + " (expected the same)"));
            case KnownType.Absent _ -> KEPT;
            case KnownType.Undigested undigested ->
                new Verdict.Broken(undigested.why(), notTheSame(other, cluster, type));
            case KnownType.Defined(DefinedType theirs, String _) ->
                theirs.api().equals(type.api())
                        ? KEPT
                        : new Verdict.Broken(
                                definition(cluster, type) + ", and cluster \"" + other + "\" as " + theirs.api()
                                        + differenceBetween(type.api(), theirs.api()) + " (expected the same)",
                                notTheSame(other, cluster, type));
        };
    }

    private static Verdict.Other notTheSame(ClusterName other, ClusterName cluster, DefinedType type) {
        return new Verdict.Other(
                other,
                definition(cluster, type) + ", which is not known to be so in another cluster (expected the same)");
    }

    private static Verdict byImplementation(TypePin pin, ClusterName cluster, KnownType.Defined defined) {
        if (pin.implementations().isEmpty() || pin.implementations().contains(defined.implementation())) {
            return KEPT;
        }
        String what = "what acts on " + defined.type().groupKind() + " in cluster \"" + cluster + "\" is ";
        String found = defined.implementation().isEmpty() ? "not recorded" : defined.implementation();
        return new Verdict.Broken(what + found + " (expected " + inWords(pin.implementations().stream()) + ")");
    }

    /** A cluster's definition, in words; and that its meaning is unknown, if so. */
    public static String definition(ClusterName cluster, DefinedType type) {
        String definition = "cluster \"" + cluster + "\" defines " + type.groupKind() + " as " + type.api();
        return type.understood()
                ? definition
                : definition + " with keywords that are not understood, so that its meaning is unknown";
    }

    /** The first of the allowed values, and the number of further ones: a pin may name a thousand. */
    private static String inWords(Stream<String> allowed) {
        List<String> all = allowed.sorted().toList();
        List<String> told = all.subList(0, Math.min(all.size(), ALLOWED_TOLD_MAX));
        int more = all.size() - told.size();
        return String.join(" or ", told) + (more == 0 ? "" : " or one of " + more + " more");
    }
}
