package io.fairlead.hosted.controller;

import io.fairlead.hosted.meta.Conditions;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.hosted.watchcache.RevisionEvent;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Empties namespaces whose deletion has begun, then removes their finalizer (kubernetes
 * {@code controller/namespace/deletion}).
 *
 * <p>A namespace is processed when it changes and, while it is terminating, whenever something in it is deleted. The
 * log's thread, which serves all clusters, only queues names; the queue's thread reads objects.
 */
public final class NamespaceController implements AutoCloseable {
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
    private static final String FINALIZER = "kubernetes";

    private final RevisionedStore store;
    private final ClusterKeys keys;
    private final ObjectWriter writer;
    private final WriteGate gate;
    private final Supplier<List<ServedResource>> namespacedResources;
    private final ServedResource namespaces;
    private final InstantSource clock;
    private final Caller caller = Caller.controller("namespace-controller");
    private final Set<String> terminating = ConcurrentHashMap.newKeySet();
    private final KeyQueue queue;
    private final RevisionFeed.Following following;

    /**
     * Starts with the existing namespaces.
     *
     * @param namespacedResources the namespaced resources stored now, each once
     */
    public NamespaceController(
            RevisionedStore store,
            RevisionFeed log,
            ClusterKeys keys,
            ObjectWriter writer,
            WriteGate gate,
            ServedResource namespaces,
            Supplier<List<ServedResource>> namespacedResources,
            InstantSource clock,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.keys = keys;
        this.writer = writer;
        this.gate = gate;
        this.namespaces = namespaces;
        this.namespacedResources = namespacedResources;
        this.clock = clock;
        this.queue = new KeyQueue("namespace-controller", this::reconcile, scheduler);
        this.following = log.follow(keys.cluster(), this::noticed, revision -> {});
        startWith(store.revision());
        queue.start();
    }

    @Override
    public void close() {
        following.close();
        queue.close();
    }

    private void startWith(long revision) {
        store.forEach(namespaces.prefix(), revision, entry -> {
            if (Json.read(entry.value()) instanceof ObjectNode namespace && Meta.isTerminating(namespace)) {
                queue.add(Meta.name(namespace));
            }
        });
    }

    private void noticed(RevisionEvent event) {
        if (event.key().startsWith(namespaces.prefix())) {
            queue.add(event.key().substring(namespaces.prefix().length()));
        } else if (event.value() == null && !terminating.isEmpty()) {
            String namespace = namespaceOf(event.key());
            if (namespace != null && terminating.contains(namespace)) {
                queue.add(namespace);
            }
        }
    }

    /** The namespace in {@code /c/UID/GROUP/RESOURCE/NAMESPACE/NAME}, null if the key has none. */
    private @Nullable String namespaceOf(String key) {
        String[] segments = key.substring(keys.cluster().length()).split("/", -1);
        return segments.length == 4 ? segments[2] : null;
    }

    private boolean reconcile(String name) {
        Entry entry = store.get(keys.resource(NAMESPACES) + ClusterKeys.segment(name));
        if (entry == null
                || !(Json.read(entry.value()) instanceof ObjectNode namespace)
                || !Meta.isTerminating(namespace)) {
            terminating.remove(name);
            return true;
        }
        // Before its content is read: later deletions queue the namespace again.
        terminating.add(name);
        if (!Meta.strings(namespace.path("spec").path("finalizers")).contains(FINALIZER)) {
            return true;
        }
        gate.drain(keys.namespaceGate(name));
        Remaining remaining = deleteContent(name);
        if (remaining.isEmpty()) {
            releaseFinalizer(name);
            return true;
        }
        writeConditions(name, remaining);
        return false;
    }

    private Remaining deleteContent(String namespace) {
        Remaining remaining = new Remaining();
        for (ServedResource served : namespacedResources.get()) {
            ServedResource resource = served.asStored();
            store.forEach(
                    resource.prefix(namespace),
                    store.revision(),
                    entry -> delete(resource, namespace, resource.read(entry), remaining));
        }
        return remaining;
    }

    private void delete(ServedResource resource, String namespace, ObjectNode object, Remaining remaining) {
        try {
            ObjectWriter.Deleted deleted =
                    writer.delete(caller, resource, namespace, Meta.name(object), DeleteOptions.BACKGROUND);
            if (!deleted.gone()) {
                remaining.add(resource.groupResource(), Meta.finalizers(deleted.object()));
            }
        } catch (StatusException e) {
            if (e.status().code() != 404) {
                remaining.fail(resource.groupResource(), e.status().message());
            }
        }
    }

    private void releaseFinalizer(String name) {
        try {
            writer.update(caller, namespaces, "", name, "finalize", stored -> {
                ObjectNode wanted = stored.deepCopy();
                List<String> finalizers =
                        new ArrayList<>(Meta.strings(stored.path("spec").path("finalizers")));
                finalizers.remove(FINALIZER);
                Meta.setStrings(wanted.withObjectProperty("spec"), "finalizers", finalizers);
                return wanted;
            });
        } catch (StatusException e) {
            if (e.status().code() != 404) {
                throw e;
            }
        }
    }

    private void writeConditions(String name, Remaining remaining) {
        writer.update(caller, namespaces, "", name, "status", stored -> {
            ObjectNode wanted = stored.deepCopy();
            Conditions conditions = new Conditions(wanted, clock.instant());
            conditions.set(
                    "NamespaceDeletionDiscoveryFailure",
                    false,
                    "ResourcesDiscovered",
                    "All resources successfully discovered");
            conditions.set(
                    "NamespaceDeletionGroupVersionParsingFailure",
                    false,
                    "ParsedGroupVersions",
                    "All legacy kube types successfully parsed");
            conditions.set(
                    "NamespaceDeletionContentFailure",
                    remaining.failed(),
                    remaining.failed() ? "ContentDeletionFailed" : "ContentDeleted",
                    remaining.failed()
                            ? "Failed to delete all resource types, " + remaining.failures()
                            : "All content successfully deleted, may be waiting on finalization");
            conditions.set(
                    "NamespaceContentRemaining",
                    true,
                    "SomeResourcesRemain",
                    "Some resources are remaining: " + remaining.resources());
            conditions.set(
                    "NamespaceFinalizersRemaining",
                    remaining.hasFinalizers(),
                    remaining.hasFinalizers() ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
                    remaining.hasFinalizers()
                            ? "Some content in the namespace has finalizers remaining: " + remaining.finalizers()
                            : "All content-preserving finalizers finished");
            return wanted;
        });
    }

    /** What a pass over a namespace left behind. */
    private static final class Remaining {
        private final Map<String, Integer> byResource = new TreeMap<>();
        private final Map<String, Integer> byFinalizer = new TreeMap<>();
        private final List<String> failures = new ArrayList<>();

        void add(GroupResource resource, List<String> finalizers) {
            count(resource);
            finalizers.forEach(finalizer -> byFinalizer.merge(finalizer, 1, Integer::sum));
        }

        void fail(GroupResource resource, String message) {
            count(resource);
            failures.add(message);
        }

        private void count(GroupResource resource) {
            byResource.merge(resource.resource() + "." + resource.group(), 1, Integer::sum);
        }

        boolean isEmpty() {
            return byResource.isEmpty();
        }

        boolean failed() {
            return !failures.isEmpty();
        }

        boolean hasFinalizers() {
            return !byFinalizer.isEmpty();
        }

        String failures() {
            return String.join(", ", failures);
        }

        String resources() {
            return joined(byResource, "has");
        }

        String finalizers() {
            return joined(byFinalizer, "in");
        }

        private static String joined(Map<String, Integer> counts, String verb) {
            List<String> texts = new ArrayList<>();
            counts.forEach((name, count) -> texts.add(name + " " + verb + " " + count + " resource instances"));
            return String.join(", ", texts);
        }
    }
}
