package io.fairlead.hosted.identity;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.NamespaceLifecycle;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects on which tokens rest, as the store has them at each look-up. What decides on tokens is read from an object once for
 * each of its revisions, as long as there is room. Threads: any.
 */
public final class TokenObjects {
    /** The namespace whose annotations say how old keys may be. */
    private static final String SYSTEM_NAMESPACE = "kube-system";

    private static final long STANDINGS_BYTES_MAX = 256 * 1024;

    /** Of objects from this size on one is decoded at a time, in all clusters: it may take a hundred times as much. */
    private static final int LARGE_BYTES = 64 * 1024;

    private static final ReentrantLock LARGE = new ReentrantLock();

    private final RevisionedStore store;
    private final ClusterKeys keys;
    private final Map<Kind, ServedResource> resources = new EnumMap<>(Kind.class);

    /** By the keys of the store. */
    private final LateCache<String, Dated> standings = new LateCache<>(() -> Caffeine.newBuilder()
            .maximumWeight(STANDINGS_BYTES_MAX)
            .weigher((String key, Dated dated) -> key.length() + dated.standing.bytes())
            .executor(Runnable::run)
            .build());

    /** What was read from a revision of an object. */
    private record Dated(long revision, Standing standing) {}

    /** A kind that a token may name. A cluster need not serve all of them. */
    public enum Kind {
        /** Whose tokens these are. */
        SERVICE_ACCOUNT("serviceaccounts"),
        /** To which a token may be bound. */
        SECRET("secrets"),
        /** To which a token may be bound. */
        POD("pods"),
        /** To which a token may be bound; has no namespace. */
        NODE("nodes"),
        /** In which ServiceAccounts are. */
        NAMESPACE("namespaces");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }

        /** The resource of the core group. */
        public String plural() {
            return plural;
        }
    }

    /** Those of a cluster with some built-in kinds. */
    public TokenObjects(RevisionedStore store, ClusterKeys keys, List<ServedResource> builtIn) {
        this.store = store;
        this.keys = keys;
        for (Kind kind : Kind.values()) {
            builtIn.stream()
                    .filter(resource -> resource.type().group().isEmpty()
                            && resource.type().plural().equals(kind.plural))
                    .findFirst()
                    .ifPresent(resource -> resources.put(kind, resource));
        }
    }

    /**
     * An object; empty if there is none, or the cluster does not serve the kind.
     *
     * @param name not empty, without slashes
     */
    public Optional<ObjectNode> find(Kind kind, String namespace, String name) {
        ServedResource resource = resources.get(kind);
        Entry entry = resource == null ? null : store.get(resource.key(namespace, name));
        return resource == null || entry == null ? Optional.empty() : Optional.of(read(resource, entry));
    }

    private static ObjectNode read(ServedResource resource, Entry entry) {
        if (entry.value().length < LARGE_BYTES) {
            return resource.read(entry);
        }
        LARGE.lock();
        try {
            return resource.read(entry);
        } finally {
            LARGE.unlock();
        }
    }

    /** What of the same decides on tokens. */
    Optional<Standing> standing(Kind kind, String namespace, String name) {
        ServedResource resource = resources.get(kind);
        Entry entry = resource == null ? null : store.get(resource.key(namespace, name));
        if (resource == null || entry == null) {
            return Optional.empty();
        }
        Dated known = standings.getIfPresent(entry.key());
        if (known == null || known.revision != entry.revision()) {
            known = new Dated(entry.revision(), Standing.of(read(resource, entry)));
            standings.put(entry.key(), known);
        }
        return Optional.of(known.standing);
    }

    /**
     * Checks that the namespace of a ServiceAccount takes what is new.
     *
     * @throws io.fairlead.model.StatusException 404 if there is no such namespace, 403 if it is being deleted
     */
    public void requireOpen(String namespace, String account) {
        ServedResource accounts = Objects.requireNonNull(resources.get(Kind.SERVICE_ACCOUNT));
        NamespaceLifecycle.checkOpen(store, keys, accounts, namespace, account);
    }

    /** The namespace whose annotations are {@link KeyAges}, as it is stored. */
    @Nullable
    Entry systemNamespace() {
        ServedResource namespaces = resources.get(Kind.NAMESPACE);
        return namespaces == null ? null : store.get(namespaces.key("", SYSTEM_NAMESPACE));
    }
}
