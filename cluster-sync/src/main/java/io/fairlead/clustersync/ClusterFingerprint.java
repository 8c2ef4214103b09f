package io.fairlead.clustersync;

import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What distinguishes a cluster from all others.
 *
 * @param uid of namespace kube-system, which is assigned once, when a store is first served
 * @param signingKeys thumbprints (RFC 7638) of the keys that its ServiceAccounts' tokens are signed with; empty if they
 *     are not known
 * @param servingCa digest of the CA that its servers are verified by; empty if it is the system's trust
 */
public record ClusterFingerprint(String uid, NavigableSet<String> signingKeys, String servingCa) {
    public ClusterFingerprint {
        signingKeys = Collections.unmodifiableNavigableSet(new TreeSet<>(signingKeys));
    }

    /** One of which only the uid is known. */
    public static ClusterFingerprint of(String uid) {
        return new ClusterFingerprint(uid, Collections.emptyNavigableSet(), "");
    }
}
