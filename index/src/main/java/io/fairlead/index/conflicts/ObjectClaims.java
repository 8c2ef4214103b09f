package io.fairlead.index.conflicts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.Claimant.Claim;
import io.fairlead.index.conflicts.Claimant.Place;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Problem: a rule may be about a million objects, of which few are in conflict. Records and maps of the JDK would take 500
 * bytes for each.
 *
 * So objects and claims are links of chains of two hash tables of our own, and the records of the evaluation are made of the
 * claims to one key when they are asked for. Keys are hashed under a secret, and names by a polynomial at a random point
 * (Carter and Wegman): no client can choose names of one chain.
 */
/**
 * The claims of very many objects to keys, with an index of the claims to each key. What becomes of a key is evaluated by
 * {@link Contest}, as for all others.
 *
 * <p>Threads: one at a time; the owner guards it.
 */
public final class ObjectClaims {
    /** The Mersenne prime below 2^61. */
    private static final long PRIME = (1L << 61) - 1;

    private static final int TABLE_MIN = 16;

    private final ConflictPolicy policy;
    private final String kind;
    private final String rule;
    private final long point;
    private final Map<Place.Name, Place> places = new HashMap<>();
    private final TreeSet<KeyHash> conflicts = new TreeSet<>();

    private @Nullable Claimant[] byName = new Claimant[TABLE_MIN];
    private @Nullable Claim[] byKey = new Claim[TABLE_MIN];
    private int objects;
    private int claims;
    private final ClusterBytes bytes = new ClusterBytes();

    /**
     * An object that claims keys.
     *
     * @param uid of this incarnation
     * @param created of the same; whole seconds count
     */
    public record Incarnation(ObjectKey key, String uid, Instant created) {}

    /**
     * Without claims.
     *
     * @param kind of the keys
     * @param rule whose keys these are, the first part of their names
     * @param chance the source of the secret of the names' hash
     */
    public ObjectClaims(String kind, String rule, ConflictPolicy policy, Random chance) {
        this.kind = kind;
        this.rule = rule;
        this.policy = policy;
        this.point = chance.nextLong(1L << 32, PRIME);
    }

    /**
     * Sets what an object claims.
     *
     * @param keys without duplicates; none if it is known to claim nothing
     * @param list a number of the list in which it was seen, for {@link #removeBefore}
     * @return the keys of which the contest may be another one by that
     */
    public Set<KeyHash> put(Incarnation object, Collection<KeyHash> keys, int list) {
        Claimant known = find(object.key());
        if (known != null && known.uid().equals(object.uid())) {
            known.list = list;
            return keys(known).equals(Set.copyOf(keys)) ? Set.of() : claim(known, keys);
        }
        Set<KeyHash> concerned = known == null ? new HashSet<>() : remove(known);
        Claimant added = add(object);
        added.list = list;
        concerned.addAll(claim(added, keys));
        return concerned;
    }

    /** The same object was seen in a list; whether it is known. Its claims stay. */
    public boolean touch(ObjectKey key, String uid, int list) {
        Claimant known = find(key);
        if (known == null || !known.uid().equals(uid)) {
            return false;
        }
        known.list = list;
        return true;
    }

    /** An object is gone; returns as {@link #put}. */
    public Set<KeyHash> remove(ObjectKey key) {
        Claimant known = find(key);
        return known == null ? Set.of() : remove(known);
    }

    /** The objects of a cluster that were in no list with this number or a later one are gone; returns as {@link #put}. */
    public Set<KeyHash> removeBefore(ClusterName cluster, int list) {
        List<Claimant> gone = new ArrayList<>();
        for (Claimant first : byName) {
            for (Claimant each = first; each != null; each = each.next) {
                if (each.place.name.cluster().equals(cluster) && each.list < list) {
                    gone.add(each);
                }
            }
        }
        Set<KeyHash> concerned = new HashSet<>();
        gone.forEach(each -> concerned.addAll(remove(each)));
        return concerned;
    }

    /** Whether outputs of an object may be live; returns as {@link #put}. */
    public Set<KeyHash> setLive(ObjectKey key, boolean isLive) {
        Claimant known = find(key);
        if (known == null || known.isLive == isLive) {
            return Set.of();
        }
        known.isLive = isLive;
        return keys(known);
    }

    /** The contest for a key. */
    public Contest of(KeyHash key) {
        ConflictKey shown = shown(key);
        List<KeyClaim> all = new ArrayList<>();
        for (Claim each = byKey[slot(key, byKey.length)]; each != null; each = each.next) {
            if (each.is(key)) {
                all.add(new KeyClaim(shown, each.claimant.holder(), each.claimant.isLive));
            }
        }
        return Contest.of(policy, all);
    }

    /** The contest of those that come first, of which there are two in any conflict; the others are not looked at again. */
    public Contest first(KeyHash key, int max) {
        PriorityQueue<KeyClaim> first = new PriorityQueue<>(max + 1, KeyClaim.PRECEDENCE.reversed());
        ConflictKey shown = shown(key);
        for (Claim each = byKey[slot(key, byKey.length)]; each != null; each = each.next) {
            if (each.is(key)) {
                first.add(new KeyClaim(shown, each.claimant.holder(), each.claimant.isLive));
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return Contest.of(policy, first);
    }

    /** How many objects claim a key. */
    public int count(KeyHash key) {
        int count = 0;
        for (Claim each = byKey[slot(key, byKey.length)]; each != null; each = each.next) {
            count += each.is(key) ? 1 : 0;
        }
        return count;
    }

    /** Where an object stands with a key that it claims, in the contest for it; empty if it is not known. */
    public Optional<KeyClaim> claim(ObjectKey object, KeyHash key) {
        return Optional.ofNullable(find(object)).map(known -> new KeyClaim(shown(key), known.holder(), known.isLive));
    }

    private ConflictKey shown(KeyHash key) {
        return new ConflictKey(kind, List.of(rule, key.toString()));
    }

    /** Objects that claim a key, in no order. */
    public List<Incarnation> claimants(KeyHash key, int max) {
        List<Incarnation> all = new ArrayList<>();
        for (Claim each = byKey[slot(key, byKey.length)]; each != null && all.size() < max; each = each.next) {
            if (each.is(key)) {
                Claimant claimant = each.claimant;
                all.add(new Incarnation(
                        claimant.key(), claimant.uid(), claimant.holder().created()));
            }
        }
        return all;
    }

    /** Whether an object is known. */
    public boolean has(ObjectKey object) {
        return find(object) != null;
    }

    /** What an object claims; empty if it is not known. */
    public Set<KeyHash> keys(ObjectKey object) {
        Claimant known = find(object);
        return known == null ? Set.of() : keys(known);
    }

    /** The keys that several objects claim, in order. */
    public Set<KeyHash> conflicts() {
        return Collections.unmodifiableSet(conflicts);
    }

    public int objects() {
        return objects;
    }

    public int claims() {
        return claims;
    }

    /** About what all of this takes. */
    public long bytes() {
        return bytes.total();
    }

    /** About what the objects of a cluster take. */
    public long bytes(ClusterName cluster) {
        return bytes.of(cluster);
    }

    private Claimant add(Incarnation object) {
        if (objects >= byName.length) {
            growNames();
        }
        Place place = places.computeIfAbsent(name(object.key()), Place::new);
        place.objects++;
        Claimant added = new Claimant(place, object.key().name(), object.uid(), object.created());
        int slot = slot(place, added.nameBytes(), byName.length);
        added.next = byName[slot];
        byName[slot] = added;
        objects++;
        bytes.add(place.name.cluster(), added.bytes());
        return added;
    }

    private Set<KeyHash> remove(Claimant gone) {
        Set<KeyHash> concerned = claim(gone, List.of());
        int slot = slot(gone.place, gone.nameBytes(), byName.length);
        Claimant before = byName[slot];
        if (before == gone) {
            byName[slot] = gone.next;
        } else {
            while (before != null && before.next != gone) {
                before = before.next;
            }
            Objects.requireNonNull(before).next = gone.next;
        }
        if (--gone.place.objects == 0) {
            places.remove(gone.place.name);
        }
        objects--;
        bytes.add(gone.place.name.cluster(), -gone.bytes());
        return concerned;
    }

    /** Replaces the claims of an object. */
    private Set<KeyHash> claim(Claimant claimant, Collection<KeyHash> keys) {
        Set<KeyHash> concerned = new HashSet<>(keys);
        for (Claim each = claimant.claims; each != null; each = each.other) {
            unlink(each);
            concerned.add(each.key());
        }
        claimant.claims = null;
        for (KeyHash key : keys) {
            if (claims >= byKey.length) {
                growKeys();
            }
            Claim claim = new Claim(claimant, key, claimant.claims);
            claimant.claims = claim;
            link(claim, byKey);
            claims++;
            bytes.add(claimant.place.name.cluster(), Claim.BYTES);
        }
        concerned.forEach(this::judge);
        return concerned;
    }

    private void judge(KeyHash key) {
        int holders = 0;
        for (Claim each = byKey[slot(key, byKey.length)]; each != null && holders < 2; each = each.next) {
            if (each.is(key)) {
                holders++;
            }
        }
        if (holders > 1) {
            conflicts.add(key);
        } else {
            conflicts.remove(key);
        }
    }

    private void unlink(Claim gone) {
        Claim previous = gone.previous;
        Claim next = gone.next;
        if (previous == null) {
            byKey[slot(gone.key(), byKey.length)] = next;
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        claims--;
        bytes.add(gone.claimant.place.name.cluster(), -Claim.BYTES);
    }

    private static void link(Claim claim, @Nullable Claim[] table) {
        int slot = slot(claim.key(), table.length);
        Claim first = table[slot];
        claim.previous = null;
        claim.next = first;
        if (first != null) {
            first.previous = claim;
        }
        table[slot] = claim;
    }

    private void growKeys() {
        @Nullable Claim[] larger = new Claim[2 * byKey.length];
        for (Claim first : byKey) {
            for (Claim each = first; each != null; ) {
                Claim next = each.next;
                link(each, larger);
                each = next;
            }
        }
        byKey = larger;
    }

    private void growNames() {
        @Nullable Claimant[] larger = new Claimant[2 * byName.length];
        for (Claimant first : byName) {
            for (Claimant each = first; each != null; ) {
                Claimant next = each.next;
                int slot = slot(each.place, each.nameBytes(), larger.length);
                each.next = larger[slot];
                larger[slot] = each;
                each = next;
            }
        }
        byName = larger;
    }

    private @Nullable Claimant find(ObjectKey key) {
        Place place = places.get(name(key));
        if (place == null) {
            return null;
        }
        byte[] name = key.name().getBytes(UTF_8);
        for (Claimant each = byName[slot(place, name, byName.length)]; each != null; each = each.next) {
            if (each.is(place, name)) {
                return each;
            }
        }
        return null;
    }

    private static Place.Name name(ObjectKey key) {
        return new Place.Name(key.cluster(), key.namespace());
    }

    private static Set<KeyHash> keys(Claimant claimant) {
        Set<KeyHash> keys = new HashSet<>();
        for (Claim each = claimant.claims; each != null; each = each.other) {
            keys.add(each.key());
        }
        return keys;
    }

    private static int slot(KeyHash key, int slots) {
        return (int) key.low() & (slots - 1);
    }

    private int slot(Place place, byte[] name, int slots) {
        long hash = place.hashCode() & 0xFFFF_FFFFL;
        for (byte each : name) {
            hash = modulo(Math.multiplyHigh(hash, point), hash * point, (each & 0xFF) + 1);
        }
        return (int) ((hash * 0x9E37_79B9_7F4A_7C15L) >>> 32) & (slots - 1);
    }

    /** {@code (high * 2^64 + low + more) mod (2^61 - 1)}, of a product of two numbers below that. */
    private static long modulo(long high, long low, long more) {
        long sum = (low & PRIME) + ((high << 3) | (low >>> 61)) + more;
        sum = (sum & PRIME) + (sum >>> 61);
        return sum >= PRIME ? sum - PRIME : sum;
    }
}
