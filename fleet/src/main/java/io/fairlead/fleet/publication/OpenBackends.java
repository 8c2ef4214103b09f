package io.fairlead.fleet.publication;

import io.fairlead.model.ClusterName;
import java.security.PublicKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The hosted clusters that the front end serves to aggregation layers. Threads: any. */
final class OpenBackends {
    private final Door door;
    private final Map<Key, PublishedBackend> open = new HashMap<>();

    /** A publication in a target. */
    record Key(String uid, ClusterName target) {}

    OpenBackends(Door door) {
        this.door = door;
    }

    /**
     * Serves a backend, in place of what was served for the publication in the target. How the target presents callers is known
     * for all that is published into it then.
     */
    synchronized void open(String uid, PublishedBackend backend) {
        Map<Key, PublishedBackend> before = Map.copyOf(open);
        open.put(new Key(uid, backend.target()), backend);
        open.replaceAll(
                (key, other) -> key.target().equals(backend.target()) ? other.withTrusted(backend.trusted()) : other);
        if (!open.equals(before)) {
            tell();
        }
    }

    /**
     * Serves what is there for these publications alone, each from the source that is named.
     *
     * @param wanted the sources
     */
    synchronized void retain(Map<Key, ClusterName> wanted) {
        if (open.entrySet().removeIf(entry -> !entry.getValue().source().equals(wanted.get(entry.getKey())))) {
            tell();
        }
    }

    /** Serves nothing for a publication in a target any more. */
    synchronized void close(String uid, ClusterName target) {
        if (open.remove(new Key(uid, target)) != null) {
            tell();
        }
    }

    private void tell() {
        door.publish(open.values().stream()
                .sorted(Comparator.comparing(PublishedBackend::serverName).thenComparing(PublishedBackend::target))
                .toList());
    }

    /** A certificate for a backend's name. */
    Door.Serving certificate(String serverName) {
        return door.certificate(serverName);
    }

    /**
     * Why requests of a front proxy cannot be taken; empty if they can. Targets with one name for their backends are told apart by
     * the CAs of their front proxies.
     */
    Optional<String> refusal(String serverName, ClusterName target, RequestHeaders trusted) {
        Set<PublicKey> keys = trusted.caKeys();
        synchronized (this) {
            for (PublishedBackend other : open.values()) {
                boolean isAmbiguous = other.serverName().equals(serverName)
                        && !other.target().equals(target)
                        && !Collections.disjoint(keys, other.trusted().caKeys());
                if (isAmbiguous) {
                    return Optional.of("the CA of the target's front proxy is that of \"" + other.target()
                            + "\" too, whose backend has the same name (expected another CA, or another Service)");
                }
            }
        }
        return door.refusal(trusted);
    }

    /** As which what is published into a target is probed. */
    Door.Prober prober(ClusterName target) {
        return door.prober(target);
    }
}
