package io.fairlead.fleet.conflicts;

import io.fairlead.clustersync.ObservedIdentity;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.conflicts.ConflictKey;
import io.fairlead.index.conflicts.ConflictPolicy;
import io.fairlead.index.conflicts.ConflictState;
import io.fairlead.index.conflicts.ConflictTable;
import io.fairlead.index.conflicts.Contest;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.index.conflicts.Standing;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * A registration claims the cluster that its endpoints lead to, from the first reading of its identity until it is
 * removed or leads elsewhere: while it cannot be reached, while its credential is missing and while it is paused too, so
 * that none of this lets another registration take its place. A claim is live from when the registration was served as the
 * one that stays until it is withdrawn, and that is kept in its status.
 */
/**
 * Which registrations lead to one cluster, and which of those stays: the first one that is served.
 *
 * <p>Thread-safe: under its own lock. Nothing blocks.
 */
public final class ClusterIdentities {
    /** The kind of key that a cluster's identity is. */
    public static final String KIND = FingerprintGroup.KIND;

    private final ConflictTable table = new ConflictTable(ConflictPolicy.INCUMBENT_STAYS);
    private final Registrations registered = new Registrations();
    private final Map<String, FingerprintGroup> groups = new HashMap<>();
    private final Set<String> doubted = new HashSet<>();

    /** The aliases that are served with the registrations that they name. */
    private final Set<String> beside = new HashSet<>();

    private final ConflictTimes times;
    private final InstantSource clock;

    /** @param transitions counts those of all registrations */
    public ClusterIdentities(InstantSource clock, ConflictTransitions transitions) {
        this.clock = clock;
        this.times = new ConflictTimes(transitions);
    }

    /**
     * A registration is as it is.
     *
     * @param status of its object, from which is taken what was known of it before a restart
     * @return the names of the registrations of which the verdict may be another by that
     */
    public synchronized Set<String> observe(Registrant registrant, JsonNode status) {
        Registered before = registered.get(registrant.name());
        Set<String> concerned = new HashSet<>();
        if (before != null && !before.uid().equals(registrant.uid())) {
            concerned.addAll(forget(registrant.name()));
            before = null;
        }
        if (before == null) {
            before = new Registered(registrant, IdentityRecord.read(status));
            times.begin(registrant.name(), ConflictDocument.since(status));
        } else if (before.registrant().equals(registrant)) {
            return concerned;
        }
        concerned.addAll(replace(registrant.name(), before, before.observed(registrant)));
        return concerned;
    }

    /** A registration is served, as the one that stays or beside it; returns as {@link #observe}. */
    public synchronized Set<String> serves(String name) {
        Registered known = registered.get(name);
        if (known == null || !known.record().isIdentified() || standing(known).state() != ConflictState.HELD) {
            return Set.of();
        }
        IdentityRecord settled =
                target(known) == null ? known.record().held() : known.record().servedBeside();
        return settled.equals(known.record()) ? Set.of() : replace(name, known, known.with(settled));
    }

    /** Nothing of a registration is served any more; returns as {@link #observe}. */
    public synchronized Set<String> withdrawn(String name) {
        Registered known = registered.get(name);
        return known != null && known.record().holds()
                ? replace(name, known, known.with(known.record().withdrawn()))
                : Set.of();
    }

    /** A registration is no more, and nothing of it is served; returns as {@link #observe}. */
    public synchronized Set<String> forget(String name) {
        Registered gone = registered.remove(name);
        if (gone == null) {
            return Set.of();
        }
        Set<String> concerned = new HashSet<>(registered.named(table.remove(gone.uid())));
        times.forget(name);
        beside.remove(name);
        concerned.addAll(evaluate(Set.of(gone.record().uid())));
        concerned.addAll(registered.aliasesOf(name));
        concerned.remove(name);
        concerned.forEach(this::time);
        return concerned;
    }

    /** The names of the registrations whose identity is to be read again, each once. */
    public synchronized Set<String> doubted() {
        Set<String> taken = Set.copyOf(doubted);
        doubted.clear();
        return taken;
    }

    /** What becomes of a registration; null if it is none of an attached cluster. */
    public synchronized @Nullable IdentityVerdict verdict(String name) {
        Registered known = registered.get(name);
        if (known == null) {
            return null;
        }
        Standing standing = standing(known);
        return new IdentityVerdict(
                known.record(),
                standing,
                times.of(name),
                verified(known),
                IdentityFindings.conflict(
                        name, standing, known.registrant().observed().isForbidden()),
                cause(known, standing));
    }

    /** All keys that several registrations claim, in order. */
    public synchronized Collection<Contest> contests() {
        Map<ConflictKey, Contest> contests = new TreeMap<>();
        groups.values()
                .forEach(group -> group.keys().values().forEach(key -> {
                    Contest contest = table.of(key);
                    if (contest.isConflict()) {
                        contests.put(key, contest);
                    }
                }));
        return List.copyOf(contests.values());
    }

    /** Since when a registration is in a conflict, by key. */
    public synchronized Map<String, Instant> since(String name) {
        return Map.copyOf(times.of(name));
    }

    private Set<String> replace(String name, Registered before, Registered after) {
        registered.put(after);
        Set<String> uids =
                new HashSet<>(List.of(before.record().uid(), after.record().uid()));
        registered.aliasesOf(name).forEach(alias -> uids.add(uidOf(alias)));
        Set<String> concerned = evaluate(uids);
        if (!after.record().isIdentified()) {
            concerned.addAll(registered.named(table.remove(after.uid())));
        }
        concerned.addAll(registered.aliasesOf(name));
        concerned.add(name);
        Set.copyOf(concerned).forEach(this::time);
        return concerned;
    }

    /** Sets the claims of all registrations with some uids. */
    private Set<String> evaluate(Set<String> uids) {
        Set<String> concerned = new HashSet<>();
        for (String uid : uids) {
            List<Registered> same = registered.ofCluster(uid);
            Map<Boolean, List<Registered>> byAlias =
                    same.stream().collect(Collectors.partitioningBy(one -> target(one) != null));
            List<Registered> aliases = byAlias.getOrDefault(true, List.of());
            for (Registered alias : aliases) {
                registered.put(alias.with(alias.record().withdrawn()));
                concerned.addAll(registered.named(table.put(alias.uid(), List.of())));
            }
            List<Registered> claiming = leftAlone(byAlias.getOrDefault(false, List.of()));
            FingerprintGroup group = FingerprintGroup.of(claiming);
            doubted.addAll(group.undecided());
            for (Registered one : claiming) {
                ConflictKey key = group.keys().get(one.name());
                if (key != null) {
                    concerned.addAll(registered.named(table.put(
                            one.uid(),
                            List.of(new KeyClaim(key, one.holder(), one.record().holds())))));
                }
            }
            for (Registered alias : aliases) {
                if (!standing(alias).state().isLost()) {
                    beside.add(alias.name());
                }
            }
            if (same.isEmpty()) {
                groups.remove(uid);
            } else {
                groups.put(uid, group);
            }
        }
        Set.copyOf(concerned).forEach(this::time);
        return concerned;
    }

    /**
     * An alias has no place of its own that it could keep by being none any more. But where the registration that it was
     * served beside has left, it is what is served.
     */
    private List<Registered> leftAlone(List<Registered> claiming) {
        List<Registered> now = new ArrayList<>();
        for (Registered one : claiming.stream().sorted(Registered.PRECEDENCE).toList()) {
            boolean isAlone = Stream.concat(now.stream(), claiming.stream())
                    .noneMatch(other -> other.record().holds() && other.record().mayBe(one.record()));
            Registered left =
                    beside.remove(one.name()) && isAlone ? one.with(one.record().held()) : one;
            registered.put(left);
            now.add(left);
        }
        return now;
    }

    private void time(String name) {
        Registered known = registered.get(name);
        if (known != null) {
            times.observe(
                    name,
                    standing(known).conflicts().stream()
                            .map(conflict -> conflict.key().toString())
                            .collect(Collectors.toSet()),
                    clock.instant());
        }
    }

    /** An alias stands where the registration does that it is an alias of. */
    private Standing standing(Registered one) {
        Registered target = target(one);
        if (target == null) {
            return table.standing(one.uid());
        }
        Standing standing = table.standing(target.uid());
        return standing.state().isLost() ? standing : new Standing(standing.state(), List.of());
    }

    /** The registration of the same cluster that another one is an alias of, at last; null if it is none's. */
    private @Nullable Registered target(Registered alias) {
        Registered target = alias;
        Set<String> seen = new HashSet<>(Set.of(alias.name()));
        while (!target.registrant().aliasOf().isEmpty()) {
            Registered next = registered.get(target.registrant().aliasOf());
            if (next == null || !isIdentifiedAs(alias, next) || !seen.add(next.name())) {
                break;
            }
            target = next;
        }
        boolean isCircle =
                !target.equals(alias) && seen.contains(target.registrant().aliasOf());
        return target.equals(alias) || isCircle ? null : target;
    }

    private static boolean isIdentifiedAs(Registered one, Registered other) {
        return one.record().isIdentified() && one.record().mayBe(other.record());
    }

    private Finding verified(Registered known) {
        ObservedIdentity observed = known.registrant().observed();
        if (known.record().isMoved()) {
            return IdentityFindings.moved(known.name(), known.record());
        }
        String aliasOf = known.registrant().aliasOf();
        if (!aliasOf.isEmpty() && known.record().isIdentified() && target(known) == null) {
            return IdentityFindings.noAlias(aliasOf, registered.get(aliasOf) != null);
        }
        FingerprintGroup group = groups.getOrDefault(known.record().uid(), FingerprintGroup.none());
        ConflictKey key = group.keys().get(known.name());
        List<String> copies = key == null ? List.of() : group.copies(key);
        return copies.isEmpty() || observed.verified().status() != Finding.Status.TRUE
                ? observed.verified()
                : IdentityFindings.copied(known.record(), copies);
    }

    private static String cause(Registered known, Standing standing) {
        if (known.registrant().observed().isSelf()) {
            return IdentityVerdict.SELF;
        }
        if (standing.state().isLost()) {
            return IdentityVerdict.CONFLICT;
        }
        if (known.record().isMoved()) {
            return IdentityVerdict.MOVED;
        }
        return isUnasked(known) ? IdentityVerdict.PENDING : "";
    }

    /** Neither have its present endpoints answered, nor is it known from before a restart. */
    private static boolean isUnasked(Registered known) {
        ObservedIdentity observed = known.registrant().observed();
        return observed.isPending() && (observed.order() > 0 || !known.record().isIdentified());
    }

    private String uidOf(String name) {
        Registered one = registered.get(name);
        return one == null ? "" : one.record().uid();
    }
}
