package io.fairlead.fleet.publication;

import io.fairlead.fleet.publication.BackendAuthorities.Serving;
import io.fairlead.model.ClusterName;
import java.security.PublicKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The hosted clusters that the front end serves to aggregation layers. Threads: any. */
final class OpenBackends {
    private final Door door;
    private final BackendAuthorities authorities;
    private final Map<Key, PublishedBackend> open = new HashMap<>();

    /** The sources of what was to be served as the process began, until it is; null before that is known. */
    private @Nullable Map<Key, ClusterName> resumable;

    /** As it was told last. */
    private List<PublishedBackend> told = List.of();

    /** A publication in a target. */
    record Key(String uid, ClusterName target) {}

    OpenBackends(Door door, BackendAuthorities authorities) {
        this.door = door;
        this.authorities = authorities;
    }

    /**
     * Serves a backend, in place of what was served for the publication in the target. How the target presents callers is known
     * for all that is published into it then.
     *
     * @param backend with the certificate that it presents
     * @return PEM certificates, one of which signs that
     * @throws IllegalArgumentException if there is none
     */
    synchronized String open(String uid, String serverName, Function<Serving, PublishedBackend> backend) {
        Serving serving = authorities.certificate(serverName);
        PublishedBackend opened = backend.apply(serving);
        Key opening = new Key(uid, opened.target());
        resumed(opening);
        open.put(opening, opened);
        open.replaceAll(
                (key, other) -> key.target().equals(opened.target()) ? other.withTrusted(opened.trusted()) : other);
        tell();
        return serving.caBundle();
    }

    /** Whether a publication was to be served to a target when the process began, and was not opened since, nor is another source. */
    synchronized boolean mayResume(String uid, ClusterName target) {
        return resumable != null && resumable.containsKey(new Key(uid, target));
    }

    /** Another hosted cluster that is served to a target by the same name: requests could not be told apart. */
    synchronized Optional<ClusterName> sourceInsteadOf(ClusterName source, String serverName, ClusterName target) {
        return open.values().stream()
                .filter(other -> other.serverName().equals(serverName)
                        && other.target().equals(target)
                        && !other.source().equals(source))
                .map(PublishedBackend::source)
                .findFirst();
    }

    /** Presents the certificates of now, if they are others. */
    synchronized void renew() {
        open.replaceAll((_, backend) -> {
            Serving serving = authorities.certificate(backend.serverName());
            return backend.withCertificate(serving.certificateChain(), serving.privateKey());
        });
        tell();
    }

    /**
     * Serves what is there for these publications alone, each from the source that is named.
     *
     * @param wanted the sources
     */
    synchronized void retain(Map<Key, ClusterName> wanted) {
        Map<Key, ClusterName> left = new HashMap<>(resumable == null ? wanted : resumable);
        left.entrySet().removeIf(entry -> !entry.getValue().equals(wanted.get(entry.getKey())));
        resumable = left;
        open.entrySet().removeIf(entry -> !entry.getValue().source().equals(wanted.get(entry.getKey())));
        tell();
    }

    /** Serves nothing for a publication in a target any more. */
    synchronized void close(String uid, ClusterName target) {
        Key closing = new Key(uid, target);
        resumed(closing);
        open.remove(closing);
        tell();
    }

    private void resumed(Key key) {
        if (resumable != null) {
            resumable.remove(key);
        }
    }

    /** Unless it was told the same before. */
    private void tell() {
        List<PublishedBackend> all = open.values().stream()
                .sorted(Comparator.comparing(PublishedBackend::serverName).thenComparing(PublishedBackend::target))
                .toList();
        if (!all.equals(told)) {
            authorities.retain(all.stream().map(PublishedBackend::serverName).toList());
            door.publish(all);
            told = all;
        }
    }

    /** Whether a backend may be registered with CAs: it presents no certificate of others. */
    boolean isCurrent(String caBundle) {
        return caBundle().equals(caBundle);
    }

    /** The CAs that APIServices must have, PEM; empty as long as nothing was served. */
    String caBundle() {
        return authorities.bundle();
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
