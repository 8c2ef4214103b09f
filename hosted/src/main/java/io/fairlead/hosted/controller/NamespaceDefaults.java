package io.fairlead.hosted.controller;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.watchcache.RevisionEvent;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the default objects in every namespace: the ServiceAccount {@code default} and, if the cluster's root
 * certificates are known, the ConfigMap {@code kube-root-ca.crt} that holds them (kubernetes
 * {@code controller/serviceaccount} and {@code controller/certificates/rootcacertpublisher}).
 *
 * <p>Recreates deleted objects and restores changed ones. A namespace is processed when it or one of these objects
 * changes.
 */
public final class NamespaceDefaults implements AutoCloseable {
    private static final String ACCOUNT = "default";
    private static final String CERTIFICATES = "kube-root-ca.crt";
    private static final String FILE = "ca.crt";
    private static final String DESCRIPTION = "kubernetes.io/description";
    private static final String DESCRIPTION_TEXT = "Certificates that prove this cluster's API server to programs.";

    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final Resources resources;
    private final String rootCertificates;
    private final Caller caller = Caller.controller("namespace-furnishing");
    private final KeyQueue queue;
    private final RevisionFeed.Following following;

    /** Where the objects are stored. */
    public record Resources(ServedResource namespaces, ServedResource serviceAccounts, ServedResource configMaps) {}

    /**
     * Starts with the existing namespaces.
     *
     * @param rootCertificates PEM, empty if not known
     */
    public NamespaceDefaults(
            RevisionedStore store,
            RevisionFeed log,
            ClusterKeys keys,
            ObjectWriter writer,
            Resources resources,
            String rootCertificates,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.writer = writer;
        this.resources = resources;
        this.rootCertificates = rootCertificates;
        this.queue = new KeyQueue("namespace-furnishing", this::reconcile, scheduler);
        this.following = log.follow(keys.cluster(), this::noticed, revision -> {});
        startWith(store.revision());
        queue.start();
    }

    /** What a new namespace gets. */
    public static List<ObjectNode> objects(String namespace, String rootCertificates) {
        List<ObjectNode> objects = new ArrayList<>();
        objects.add(object("ServiceAccount", namespace, ACCOUNT));
        if (!rootCertificates.isEmpty()) {
            objects.add(certificates(namespace, rootCertificates));
        }
        return objects;
    }

    @Override
    public void close() {
        following.close();
        queue.close();
    }

    private void startWith(long revision) {
        String prefix = resources.namespaces().prefix();
        store.forEach(prefix, revision, entry -> queue.add(entry.key().substring(prefix.length())));
    }

    private void noticed(RevisionEvent event) {
        String key = event.key();
        String prefix = resources.namespaces().prefix();
        if (key.startsWith(prefix)) {
            if (event.value() != null) {
                queue.add(key.substring(prefix.length()));
            }
        } else if (!addNamespaceOf(key, resources.serviceAccounts(), ACCOUNT)) {
            addNamespaceOf(key, resources.configMaps(), CERTIFICATES);
        }
    }

    private boolean addNamespaceOf(String key, ServedResource resource, String name) {
        boolean found = key.startsWith(resource.prefix()) && key.endsWith("/" + name);
        if (found) {
            queue.add(key.substring(resource.prefix().length(), key.length() - name.length() - 1));
        }
        return found;
    }

    private boolean reconcile(String namespace) {
        Entry entry = store.get(resources.namespaces().key("", namespace));
        if (entry == null || Meta.isTerminating(Json.read(entry.value()))) {
            return true;
        }
        if (store.get(resources.serviceAccounts().key(namespace, ACCOUNT)) == null) {
            create(resources.serviceAccounts(), namespace, object("ServiceAccount", namespace, ACCOUNT));
        }
        if (!rootCertificates.isEmpty()) {
            publishCertificates(namespace);
        }
        return true;
    }

    private void publishCertificates(String namespace) {
        Entry entry = store.get(resources.configMaps().key(namespace, CERTIFICATES));
        if (entry == null) {
            create(resources.configMaps(), namespace, certificates(namespace, rootCertificates));
            return;
        }
        JsonNode data = Json.read(entry.value()).path("data");
        if (data.size() != 1 || !data.path(FILE).asString("").equals(rootCertificates)) {
            mend(namespace);
        }
    }

    private void mend(String namespace) {
        try {
            writer.update(caller, resources.configMaps(), namespace, CERTIFICATES, "", stored -> {
                ObjectNode wanted = stored.deepCopy();
                wanted.putObject("data").put(FILE, rootCertificates);
                return wanted;
            });
        } catch (StatusException e) {
            if (e.status().code() != 404) {
                throw e;
            }
        }
    }

    /** A conflict with another writer, or a namespace that is being deleted, is no failure: the log reports both. */
    private void create(ServedResource resource, String namespace, ObjectNode object) {
        try {
            writer.create(caller, resource, namespace, object);
        } catch (StatusException e) {
            if (!List.of(403, 404, 409).contains(e.status().code())) {
                throw e;
            }
        }
    }

    private static ObjectNode certificates(String namespace, String rootCertificates) {
        ObjectNode map = object("ConfigMap", namespace, CERTIFICATES);
        Meta.of(map).putObject("annotations").put(DESCRIPTION, DESCRIPTION_TEXT);
        map.putObject("data").put(FILE, rootCertificates);
        return map;
    }

    private static ObjectNode object(String kind, String namespace, String name) {
        ObjectNode object = Json.object().put("kind", kind).put("apiVersion", "v1");
        object.putObject("metadata").put("name", name).put("namespace", namespace);
        return object;
    }
}
