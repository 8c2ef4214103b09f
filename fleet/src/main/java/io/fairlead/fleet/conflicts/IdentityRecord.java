package io.fairlead.fleet.conflicts;

import io.fairlead.clustersync.ClusterFingerprint;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of the identity of a registration's cluster, in the status of its {@code Cluster}: so the same registration
 * stays after a restart.
 *
 * <pre>
 * identity:
 *   uid: 0f6c…
 *   servedUid: 0f6c…
 *   signingKeys: [NzbL…]
 *   holds: true
 * </pre>
 *
 * @param uid of namespace kube-system where its endpoints lead; empty if it is not known
 * @param servedUid that of the cluster that it serves, or was allowed to move to; empty before it has served one
 * @param signingKeys the thumbprints of keys seen there, also of those that are not used any more
 * @param holds whether it may be serving that cluster
 */
record IdentityRecord(String uid, String servedUid, NavigableSet<String> signingKeys, boolean holds) {
    static final IdentityRecord NONE = new IdentityRecord("", "", Collections.emptyNavigableSet(), false);

    private static final String IDENTITY = "identity";
    private static final String SIGNING_KEYS = "signingKeys";
    private static final int KEYS_MAX = 64;

    IdentityRecord {
        signingKeys = Collections.unmodifiableNavigableSet(new TreeSet<>(signingKeys));
    }

    static IdentityRecord read(JsonNode status) {
        JsonNode identity = status.path(IDENTITY);
        NavigableSet<String> keys = new TreeSet<>();
        identity.path(SIGNING_KEYS).values().forEach(key -> keys.add(key.asString("")));
        return new IdentityRecord(
                identity.path("uid").asString(""),
                identity.path("servedUid").asString(""),
                keys,
                identity.path("holds").asBoolean(false));
    }

    void write(ObjectNode status) {
        if (uid.isEmpty() && servedUid.isEmpty()) {
            return;
        }
        ObjectNode identity = status.putObject(IDENTITY);
        if (!uid.isEmpty()) {
            identity.put("uid", uid);
        }
        if (!servedUid.isEmpty()) {
            identity.put("servedUid", servedUid);
        }
        if (!signingKeys.isEmpty()) {
            ArrayNode keys = identity.putArray(SIGNING_KEYS);
            signingKeys.forEach(keys::add);
        }
        identity.put("holds", holds);
    }

    /** After another reading. */
    IdentityRecord with(ClusterFingerprint fingerprint) {
        boolean isSame = uid.equals(fingerprint.uid());
        return new IdentityRecord(
                fingerprint.uid(),
                servedUid,
                isSame ? keysWith(fingerprint) : fingerprint.signingKeys(),
                isSame && holds);
    }

    /** The new keys count before old ones, which are remembered as far as there is room. */
    private NavigableSet<String> keysWith(ClusterFingerprint fingerprint) {
        NavigableSet<String> keys = new TreeSet<>(fingerprint.signingKeys());
        for (String old : signingKeys) {
            if (keys.size() >= KEYS_MAX) {
                break;
            }
            keys.add(old);
        }
        return keys;
    }

    /** The endpoints lead to no cluster of their own. */
    IdentityRecord withoutCluster() {
        return new IdentityRecord("", servedUid, Collections.emptyNavigableSet(), false);
    }

    /** It may move from the cluster that it served to where its endpoints lead. */
    IdentityRecord confirmed() {
        return new IdentityRecord(uid, uid, signingKeys, holds);
    }

    /** It may be serving the cluster from now on. */
    IdentityRecord held() {
        return new IdentityRecord(uid, servedUid.isEmpty() ? uid : servedUid, signingKeys, true);
    }

    /** It is served beside the registration that it is an alias of, without a place of its own. */
    IdentityRecord servedBeside() {
        return held().withdrawn();
    }

    /** Nothing of it is served any more. */
    IdentityRecord withdrawn() {
        return new IdentityRecord(uid, servedUid, signingKeys, false);
    }

    boolean isIdentified() {
        return !uid.isEmpty();
    }

    /** Whether it leads to another cluster than the one that it served. */
    boolean isMoved() {
        return isIdentified() && !servedUid.isEmpty() && !servedUid.equals(uid);
    }

    /** Whether both are of one cluster, or may be: keys that are not known distinguish nothing. */
    boolean mayBe(IdentityRecord other) {
        return uid.equals(other.uid)
                && (signingKeys.isEmpty()
                        || other.signingKeys.isEmpty()
                        || signingKeys.stream().anyMatch(other.signingKeys::contains));
    }
}
