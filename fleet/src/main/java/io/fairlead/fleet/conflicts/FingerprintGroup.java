package io.fairlead.fleet.conflicts;

import io.fairlead.index.conflicts.ConflictKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/*
 * Signing keys are public: a server may show the keys of two clusters that are copies of one another, and would make
 * them one if all that have keys in common were taken for one cluster. So a registration is compared with the first one
 * of each cluster alone, in the order in which registrations stay: what came later never changes what earlier ones are.
 *
 * Nor can a registration that is served as one of another cluster become one of this cluster by showing its keys, which are
 * public: which of the two showed them first proves nothing, and the one that loses would be a working one. Registrations
 * that each have a place of their own keep it.
 */
/**
 * The clusters that share a uid of namespace kube-system, told apart by their signing keys: copies of a store have the same
 * uid, and other keys. Immutable.
 */
final class FingerprintGroup {
    /** The kind of key that a cluster's identity is. */
    static final String KIND = "cluster-identity";

    private static final int KEY_CHARS = 8;

    private final Map<String, ConflictKey> keys = new LinkedHashMap<>();
    private final Map<ConflictKey, Registered> founders = new LinkedHashMap<>();
    private final List<Registered> undecided = new ArrayList<>();

    private FingerprintGroup() {}

    /** Of the registrations with one uid. */
    static FingerprintGroup of(Collection<Registered> registrations) {
        FingerprintGroup group = new FingerprintGroup();
        registrations.stream().sorted(Registered.PRECEDENCE).forEach(group::add);
        return group;
    }

    private void add(Registered one) {
        for (Map.Entry<ConflictKey, Registered> founder : founders.entrySet()) {
            if (isSame(one, founder.getValue())) {
                keys.put(one.name(), founder.getKey());
                return;
            }
        }
        for (Map.Entry<ConflictKey, Registered> founder : founders.entrySet()) {
            if (!isDecided(one, founder.getValue())) {
                undecided.add(founder.getValue());
                keys.put(one.name(), founder.getKey());
                return;
            }
        }
        ConflictKey key = key(one);
        founders.put(key, one);
        keys.put(one.name(), key);
    }

    private static boolean isSame(Registered one, Registered founder) {
        return one.record().mayBe(founder.record())
                && !(one.record().holds() && founder.record().holds());
    }

    /**
     * Whether the keys of both were seen at one time. Keys may have been exchanged since the first one was read, so it is
     * read again before a newcomer counts as a copy.
     */
    private static boolean isDecided(Registered newcomer, Registered founder) {
        return newcomer.record().holds()
                || founder.registrant().observed().order()
                        > newcomer.registrant().observed().order();
    }

    /** Of the first one the uid; of others that with one of their keys, or with what distinguishes them if that does not. */
    private ConflictKey key(Registered one) {
        String uid = one.record().uid();
        if (founders.isEmpty()) {
            return new ConflictKey(KIND, List.of(uid));
        }
        ConflictKey key = new ConflictKey(KIND, List.of(uid, shortened(one.record())));
        return founders.containsKey(key) ? new ConflictKey(KIND, List.of(uid, one.uid())) : key;
    }

    private static String shortened(IdentityRecord record) {
        String first =
                record.signingKeys().isEmpty() ? "" : record.signingKeys().first();
        return first.substring(0, Math.min(KEY_CHARS, first.length()));
    }

    /** The key that each registration claims, by its name. */
    Map<String, ConflictKey> keys() {
        return keys;
    }

    /** The names of the registrations of which others wait to be compared with a new reading. */
    List<String> undecided() {
        return undecided.stream().map(Registered::name).distinct().toList();
    }

    /** The names of the first registrations of other clusters with the same uid as a key's. */
    List<String> copies(ConflictKey key) {
        return founders.entrySet().stream()
                .filter(founder -> !founder.getKey().equals(key))
                .map(founder -> founder.getValue().name())
                .toList();
    }

    /** Whether there is none. */
    static FingerprintGroup none() {
        return of(Set.of());
    }
}
