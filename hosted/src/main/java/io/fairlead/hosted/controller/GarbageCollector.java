package io.fairlead.hosted.controller;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Bytes;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.watchcache.RevisionEvent;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.ObjectName;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * Problem: objects that name owners must go when all of these are gone, and an owner whose deletion says so must wait
 * for its dependents or orphan them; nothing may be deleted by mistake.
 *
 * Invariant: an object's links are in the graph before its owners are read from the store. The log reports an owner's
 * deletion after the store has committed it. So either the worker finds the owner gone, or the log's thread finds the
 * link and queues the dependent again. An object to delete was read in the same pass and is deleted only in that
 * version.
 *
 * A deletion is finished only when the graph knows every dependent from before it began: first the log must have
 * reported everything up to the owner's state, then every key that this queued must have been processed. Otherwise a
 * dependent not yet reported would be deleted instead of orphaned.
 *
 * A reference that cannot be resolved - its kind is not served, or it points from a cluster-scoped object into a
 * namespace - keeps its object: unknown does not mean gone. Such objects are processed again when a definition changes.
 *
 * References: kubernetes controller/garbagecollector; KEP-2336 for owners across namespaces.
 */

/**
 * Deletes objects whose owners are gone, and finishes deletions with the finalizers {@code orphan} and
 * {@code foregroundDeletion}.
 *
 * <p>Begins with a pass over all objects of the cluster; then processes the changes that the log reports.
 */
public final class GarbageCollector implements AutoCloseable {
    private static final String EVERYTHING = "";

    /** Prefix of a key that means: finish the deletion of an object as it was at a revision. */
    private static final String FINISH = "finish@";

    private static final Duration CATCH_UP = Duration.ofSeconds(3);
    /** Group and resource follow the cluster in a key. */
    private static final int PREFIX_SEGMENTS = 2;

    /** The key that means: the set of kinds changed. */
    private static final String TYPES = "types";

    private static final byte[] OWNERS = "\"ownerReferences\"".getBytes(StandardCharsets.UTF_8);
    private static final byte[] DELETED = "\"deletionTimestamp\"".getBytes(StandardCharsets.UTF_8);

    private final RevisionedStore store;
    private final RevisionFeed log;
    private final ClusterKeys keys;
    private final CollectedObjects collected;
    private final StoredResources resources;
    private final Consumer<String> held;
    private final OwnerGraph graph = new OwnerGraph();
    /** Objects with an owner of a kind that is not served now; confined to the worker. */
    private final Set<String> unresolved = new HashSet<>();

    private final KeyQueue queue;
    private final RevisionFeed.Following following;

    /**
     * Starts with the existing objects.
     *
     * @param resources what the cluster stores now
     * @param held receives the key of each existing object with owners
     */
    public GarbageCollector(
            RevisionedStore store,
            RevisionFeed log,
            ClusterKeys keys,
            ObjectWriter writer,
            StoredResources resources,
            Consumer<String> held,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.log = log;
        this.keys = keys;
        this.collected = new CollectedObjects(writer);
        this.resources = resources;
        this.held = held;
        this.queue = new KeyQueue("garbage-collector", this::reconcile, scheduler);
        this.following = log.follow(keys.cluster(), this::noticed, revision -> queue.add(EVERYTHING));
        queue.start();
    }

    @Override
    public void close() {
        following.close();
        queue.close();
    }

    /** Runs on the log's thread: decides by the bytes alone whether a change can matter. */
    private void noticed(RevisionEvent event) {
        byte[] value = event.value();
        Entry previous = event.previous();
        boolean going = value == null || Bytes.contains(value, DELETED);
        boolean owned = (value != null && Bytes.contains(value, OWNERS))
                || (previous != null && Bytes.contains(previous.value(), OWNERS));
        if (owned || (going && (value != null || graph.isOwner(event.key())))) {
            queue.add(event.key());
        }
    }

    /** Queues the objects whose owners' kinds were not served; to be called when kinds are added. Never blocks. */
    public void typesChanged() {
        queue.add(TYPES);
    }

    private boolean reconcile(String key) throws InterruptedException {
        if (key.equals(EVERYTHING)) {
            lookAtEverything();
            return true;
        }
        if (key.equals(TYPES)) {
            unresolved.forEach(queue::add);
            return true;
        }
        if (key.startsWith(FINISH)) {
            int space = key.indexOf(' ');
            finish(key.substring(space + 1), Long.parseLong(key.substring(FINISH.length(), space)));
            return true;
        }
        return lookAt(key);
    }

    private boolean lookAt(String key) throws InterruptedException {
        Entry entry = store.get(key);
        ServedResource resource = resourceOf(key);
        if (entry == null || resource == null) {
            forget(key);
            return true;
        }
        ObjectNode object = resource.read(entry);
        boolean resolved = link(key, resource, object);
        if (Meta.isTerminating(object)) {
            boolean awaited = Propagation.saidBy(Meta.finalizers(object)) != Propagation.BACKGROUND;
            return !awaited || finishLater(key, entry.revision());
        }
        return !resolved || graph.owners(key).isEmpty() || collect(key, resource, object);
    }

    /** All links first, from one revision, so that every later deletion finds its dependents. */
    private void lookAtEverything() {
        long revision = store.revision();
        List<String> found = new ArrayList<>();
        store.forEach(keys.cluster(), revision, entry -> {
            boolean owned = Bytes.contains(entry.value(), OWNERS);
            ServedResource resource = owned ? resourceOf(entry.key()) : null;
            if (resource != null) {
                held.accept(entry.key());
                link(entry.key(), resource, resource.read(entry));
            }
            if (owned || Bytes.contains(entry.value(), DELETED)) {
                found.add(entry.key());
            }
        });
        found.forEach(queue::add);
    }

    /** An object is gone: queues the owners that waited for it, and its dependents. */
    private void forget(String key) {
        unresolved.remove(key);
        graph.put(key, List.of()).forEach(link -> queue.add(link.ownerKey()));
        graph.dependents(key).forEach(queue::add);
    }

    /** Updates the links of an object; returns whether all its references can be resolved. */
    private boolean link(String key, ServedResource resource, ObjectNode object) {
        List<Link> links = new ArrayList<>();
        boolean resolved = true;
        Map<String, Link> known = new HashMap<>();
        graph.owners(key).forEach(link -> known.putIfAbsent(link.uid(), link));
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            Link link = resolve(known, resource, object, reference);
            if (link == null) {
                resolved = false;
            } else {
                links.add(link);
            }
        }
        List<Link> before = graph.put(key, links);
        Set<String> now = texts(links);
        before.stream().filter(link -> !now.contains(link.text())).forEach(link -> queue.add(link.ownerKey()));
        if (resolved) {
            unresolved.remove(key);
        } else {
            unresolved.add(key);
        }
        return resolved;
    }

    private static Set<String> texts(List<Link> links) {
        Set<String> texts = HashSet.newHashSet(links.size());
        links.forEach(link -> texts.add(link.text()));
        return texts;
    }

    private @Nullable Link resolve(
            Map<String, Link> known, ServedResource resource, ObjectNode object, JsonNode reference) {
        String uid = reference.path("uid").asString("");
        boolean blocks = reference.path("blockOwnerDeletion").asBoolean(false);
        ServedResource owners = resourceOf(reference);
        if (owners == null) {
            // Its kind was removed after its objects: the known links still hold.
            Link link = known.get(uid);
            return link == null ? null : new Link(link.ownerKey(), uid, blocks);
        }
        if (owners.type().namespaced() && !resource.type().namespaced()) {
            return null;
        }
        String namespace = owners.type().namespaced() ? Meta.namespace(object) : "";
        return new Link(owners.key(namespace, reference.path("name").asString("")), uid, blocks);
    }

    private boolean finishLater(String key, long revision) throws InterruptedException {
        boolean told = log.await(revision, CATCH_UP);
        if (told) {
            queue.add(FINISH + revision + " " + key);
        }
        return told;
    }

    /** Advances a deletion that has begun; an object that has changed meanwhile is queued again by that change. */
    private void finish(String key, long revision) {
        Entry entry = store.get(key);
        ServedResource resource = resourceOf(key);
        if (entry == null || resource == null || entry.revision() != revision) {
            return;
        }
        ObjectNode object = resource.read(entry);
        switch (Propagation.saidBy(Meta.finalizers(object))) {
            case ORPHAN -> {
                for (String dependent : graph.dependents(key)) {
                    removeReferences(dependent, link -> link.uid().equals(Meta.uid(object)));
                }
                collected.removeFinalizer(resource, object, Propagation.ORPHAN_FINALIZER);
            }
            case FOREGROUND -> {
                List<String> dependents = dependents(key, Meta.uid(object));
                if (dependents.stream().noneMatch(dependent -> blocks(dependent, key, Meta.uid(object)))) {
                    collected.removeFinalizer(resource, object, Propagation.FOREGROUND_FINALIZER);
                }
                // Those that do not block it need not wait for those that do.
                dependents.stream()
                        .filter(dependent -> !isTerminating(dependent))
                        .forEach(queue::add);
            }
            case BACKGROUND, UNSET -> {}
        }
    }

    private List<String> dependents(String ownerKey, String ownerUid) {
        return graph.dependents(ownerKey).stream()
                .filter(dependent -> graph.link(dependent, ownerKey, ownerUid) != null)
                .toList();
    }

    private boolean blocks(String dependent, String ownerKey, String ownerUid) {
        Link link = graph.link(dependent, ownerKey, ownerUid);
        return link != null && link.blocks();
    }

    private boolean isTerminating(String key) {
        Entry entry = store.get(key);
        return entry != null && ObjectName.of(entry.value()).isTerminating();
    }

    private boolean isDeletedInForeground(String key) {
        Entry entry = store.get(key);
        return entry != null && isDeletedInForeground(Json.read(entry.value()));
    }

    private static boolean isDeletedInForeground(JsonNode object) {
        return Meta.isTerminating(object) && Meta.finalizers(object).contains(Propagation.FOREGROUND_FINALIZER);
    }

    /** Deletes an object whose owners are gone or wait for it; returns whether it did. */
    private boolean collect(String key, ServedResource resource, ObjectNode object) {
        List<Link> gone = new ArrayList<>();
        List<Link> waiting = new ArrayList<>();
        Map<String, Owner> owners = new HashMap<>();
        for (Link link : graph.owners(key)) {
            Owner owner = owners.computeIfAbsent(link.ownerKey(), this::owner);
            if (!link.uid().equals(owner.uid())) {
                gone.add(link);
            } else if (owner.isDeletedInForeground()) {
                waiting.add(link);
            }
        }
        if (gone.size() + waiting.size() < graph.owners(key).size()) {
            if (!gone.isEmpty() || !waiting.isEmpty()) {
                gone.addAll(waiting);
                Set<String> going = texts(gone);
                removeReferences(key, link -> going.contains(link.text()));
            }
            return true;
        }
        if (!waiting.isEmpty() && !graph.dependents(key).isEmpty()) {
            if (graph.dependents(key).stream().anyMatch(this::isDeletedInForeground)) {
                return unblock(resource, object);
            }
            return collected.delete(resource, object, Propagation.FOREGROUND);
        }
        return collected.delete(resource, object, Propagation.saidBy(Meta.finalizers(object)));
    }

    /** What stands under a key, which many references of one object may name. */
    private Owner owner(String key) {
        Entry entry = store.get(key);
        if (entry == null) {
            return new Owner(null, false);
        }
        JsonNode owner = Json.read(entry.value());
        return new Owner(owner.path("metadata").path("uid").asString(""), isDeletedInForeground(owner));
    }

    /** An owner as it stands; without a uid if it does not. */
    private record Owner(@Nullable String uid, boolean isDeletedInForeground) {}

    /**
     * A dependent that itself waits for dependents may form a cycle with its owner: unblock the references. That change
     * queues the object again.
     */
    private boolean unblock(ServedResource resource, ObjectNode object) {
        boolean blocks = object.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .anyMatch(reference -> reference.path("blockOwnerDeletion").asBoolean(false));
        if (!blocks) {
            return collected.delete(resource, object, Propagation.FOREGROUND);
        }
        collected.letOwnersGo(resource, object);
        return true;
    }

    /** Removes references from the current state of an object. */
    private void removeReferences(String key, Predicate<Link> which) {
        Entry entry = store.get(key);
        ServedResource resource = resourceOf(key);
        if (entry == null || resource == null) {
            return;
        }
        Set<String> uids = new HashSet<>();
        graph.owners(key).stream().filter(which).forEach(link -> uids.add(link.uid()));
        collected.removeReferences(resource, resource.read(entry), uids);
    }

    private @Nullable ServedResource resourceOf(String key) {
        int slash = keys.cluster().length() - 1;
        for (int i = 0; i < PREFIX_SEGMENTS && slash >= 0; i++) {
            slash = key.indexOf('/', slash + 1);
        }
        return asStored(slash < 0 ? null : resources.below(key.substring(0, slash + 1)));
    }

    private @Nullable ServedResource resourceOf(JsonNode reference) {
        String apiVersion = reference.path("apiVersion").asString("");
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String kind = reference.path("kind").asString("");
        return asStored(resources.ofKind(group, kind));
    }

    private static @Nullable ServedResource asStored(@Nullable ServedResource resource) {
        return resource == null ? null : resource.asStored();
    }
}
