package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.meta.GeneratedNames;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * Problem: requests and controllers change the same objects; every change must follow the same rules, be stored exactly
 * once, and cause an event only if it changed something.
 *
 * Invariant: nothing else writes objects. A write is computed from the stored state and committed on the condition that
 * this state is still the stored one; if it is not, it is computed again. So each rule sees exactly the state that is
 * replaced. Failure: a write that meets conflicts for 34 seconds (kube-apiserver's bound) ends with ServerTimeout.
 */

/**
 * The only write path for a cluster's objects: create, update and delete.
 *
 * <p>Threads: any; calls block until the write is durable.
 */
public final class ObjectWriter {
    private static final Duration PATIENCE = Duration.ofSeconds(34);

    private final RevisionedStore store;
    private final ClusterKeys keys;
    private final InstantSource clock;
    private final WriteGate gate;
    private final Function<AdmissionHook.Review, CommitHook.Pending> beforeCommit;

    /** @param beforeCommit asked about each object just before it is stored */
    public ObjectWriter(
            RevisionedStore store,
            ClusterKeys keys,
            InstantSource clock,
            WriteGate gate,
            Function<AdmissionHook.Review, CommitHook.Pending> beforeCommit) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
        this.gate = gate;
        this.beforeCommit = beforeCommit;
    }

    /** Computes the desired object from the stored one; may be called several times. */
    @FunctionalInterface
    public interface Change {
        /** The desired object, decoded and owned by the caller; must not change the stored one. */
        ObjectNode apply(ObjectNode stored);
    }

    /**
     * The result of an update.
     *
     * @param object the object as stored now
     * @param created whether it is new
     */
    public record Updated(ObjectNode object, boolean created) {}

    /**
     * The result of a deletion.
     *
     * @param object the object as stored now, or as last stored
     * @param gone whether it was removed
     */
    public record Deleted(ObjectNode object, boolean gone) {}

    /** Stores a new object. */
    public ObjectNode create(Caller caller, ServedResource resource, String namespace, ObjectNode decoded) {
        return create(caller, resource, namespace, decoded, () -> {});
    }

    private ObjectNode create(
            Caller caller, ServedResource resource, String namespace, ObjectNode decoded, Runnable permission) {
        String base = decoded.path("metadata").path("generateName").asString("");
        boolean generated = Meta.name(decoded).isEmpty() && !base.isEmpty();
        for (int attempt = 1; ; attempt++) {
            ObjectNode object = decoded.deepCopy();
            if (generated) {
                Meta.of(object).put("name", GeneratedNames.next(base, ThreadLocalRandom.current()));
            }
            ObjectNode created = createNamed(caller, resource, namespace, object, permission);
            if (created != null) {
                return created;
            }
            if (!generated) {
                throw Refusals.alreadyExists(
                        resource.groupResource(), Meta.name(object), isBeingDeleted(resource, namespace, object));
            }
            if (attempt == GeneratedNames.ATTEMPTS) {
                throw Refusals.noNameGenerated(resource.groupResource(), Meta.name(object));
            }
        }
    }

    private boolean isBeingDeleted(ServedResource resource, String namespace, ObjectNode object) {
        Entry there = store.get(resource.key(namespace, Meta.name(object)));
        return there != null && Meta.isTerminating(Json.read(there.value()));
    }

    /** Changes an object. */
    public Updated update(
            Caller caller, ServedResource resource, String namespace, String name, String subresource, Change change) {
        return update(caller, resource, namespace, name, subresource, change, null);
    }

    /**
     * Changes an object, or creates it where the kind allows that.
     *
     * @param permission called before a new object is stored, after all other checks; throws to refuse
     */
    public Updated updateOrCreate(
            Caller caller,
            ServedResource resource,
            String namespace,
            String name,
            String subresource,
            Change change,
            Runnable permission) {
        boolean mayCreate = resource.rules().createsOnUpdate() && subresource.isEmpty();
        return update(caller, resource, namespace, name, subresource, change, mayCreate ? permission : null);
    }

    private Updated update(
            Caller caller,
            ServedResource resource,
            String namespace,
            String name,
            String subresource,
            Change change,
            @Nullable Runnable creationPermission) {
        String key = resource.key(namespace, name);
        long patienceEnds = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < patienceEnds) {
            Entry current = store.get(key);
            if (current == null) {
                if (creationPermission == null) {
                    throw Refusals.notFound(resource.groupResource(), name);
                }
                ObjectNode wanted = change.apply(Json.object());
                Preconditions.ofCreationByUpdate(resource, name, wanted);
                return new Updated(create(caller, resource, namespace, wanted, creationPermission), true);
            }
            ObjectNode stored = resource.read(current);
            ObjectNode wanted = change.apply(stored);
            try (WriteGate.Passage _ = resource.guard().enter()) {
                Updated updated = replace(caller, resource, subresource, current, stored, wanted);
                if (updated != null) {
                    return updated;
                }
            }
        }
        throw Refusals.serverTimeout(resource.groupResource(), "update");
    }

    /** Deletes an object, or marks it as terminating if it has finalizers. */
    public Deleted delete(
            Caller caller, ServedResource resource, String namespace, String name, DeleteOptions options) {
        String key = resource.key(namespace, name);
        long patienceEnds = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < patienceEnds) {
            Entry current = store.get(key);
            if (current == null) {
                throw Refusals.notFound(resource.groupResource(), name);
            }
            try (WriteGate.Passage _ = resource.guard().enter()) {
                Deleted deleted = remove(caller, resource, current, resource.read(current), options);
                if (deleted != null) {
                    return deleted;
                }
            }
        }
        throw Refusals.serverTimeout(resource.groupResource(), "delete");
    }

    /** The created object, or null if its name is taken. */
    private @Nullable ObjectNode createNamed(
            Caller caller, ServedResource resource, String namespace, ObjectNode object, Runnable permission) {
        SystemMetadata.begin(resource, namespace, object, clock.instant());
        try (WriteGate.Passage _ = pass(resource, namespace);
                WriteGate.Passage _ = resource.guard().enter()) {
            if (!resource.creatable().getAsBoolean()) {
                boolean generated = object.path("metadata").hasNonNull("generateName");
                throw Refusals.forbidden(
                        resource.groupResource(),
                        generated ? "" : Meta.name(object),
                        "create not allowed while custom resource definition is terminating",
                        List.of());
            }
            if (!namespace.isEmpty() && resource.type().namespaced()) {
                NamespaceLifecycle.checkOpen(store, keys, resource, namespace, Meta.name(object));
            }
            AdmissionHook.Review review = review(caller, resource, Operation.CREATE, "", null, object);
            admit(resource, review);
            prepareForCreate(resource, object);
            Validation.ofCreate(resource, object);
            permission.run();
            resource.rules().warnings(object).forEach(caller.warnings());
            Optional<ObjectNode> reviewed = resource.rules().review(object);
            return reviewed.isPresent() ? reviewed.get() : storeNew(resource, object, review);
        }
    }

    /** A built-in kind outside of namespaces is never closed: it is created inside of another write without a wait for a gate. */
    private WriteGate.Passage pass(ServedResource resource, String namespace) {
        if (namespace.isEmpty() && !resource.type().custom()) {
            return () -> {};
        }
        // Clusters share the gates, so that a namespace's key includes its cluster.
        return gate.pass(resource.prefix(), namespace.isEmpty() ? "" : keys.namespaceGate(namespace));
    }

    private static void prepareForCreate(ServedResource resource, ObjectNode object) {
        if (resource.hasStatus()) {
            object.remove("status");
        }
        Meta.of(object).remove("generation");
        if (resource.rules().countsGeneration()) {
            Meta.of(object).put("generation", 1);
        }
        resource.rules().prepareForCreate(object);
    }

    private @Nullable ObjectNode storeNew(ServedResource resource, ObjectNode object, AdmissionHook.Review review) {
        String key = resource.key(review.namespace(), review.name());
        try (CommitHook.Pending pending = beforeCommit.apply(review)) {
            if (review.dryRun()) {
                return store.get(key) == null ? object : null;
            }
            return switch (resource.guard()
                    .commit(store, new Write.Put(key, resource.codec().toStore(object), 0))) {
                case CommitResult.Committed committed -> {
                    pending.committed();
                    yield withRevision(object, committed.revision());
                }
                case CommitResult.Mismatch ignored -> null;
            };
        }
    }

    /** The outcome, or null if the stored object has changed meanwhile. */
    private @Nullable Updated replace(
            Caller caller,
            ServedResource resource,
            String subresource,
            Entry current,
            ObjectNode stored,
            ObjectNode wanted) {
        Preconditions.ofUpdate(resource, stored, wanted);
        ObjectNode object = merged(resource, subresource, wanted, stored);
        AdmissionHook.Review review = review(caller, resource, Operation.UPDATE, subresource, stored, object);
        admit(resource, review);
        SystemMetadata.keep(object, stored);
        if (subresource.isEmpty()) {
            resource.rules().prepareForUpdate(object, stored);
        }
        SystemMetadata.countGeneration(resource, object, stored);
        Validation.ofUpdate(resource, subresource, object, stored);
        resource.rules().warnings(object).forEach(caller.warnings());
        if (vanishes(resource, object)) {
            return commitDelete(caller, resource, current) ? new Updated(object, false) : null;
        }
        if (!subresource.isEmpty()) {
            return commitPut(caller, resource, current, stored, object);
        }
        try (CommitHook.Pending pending = beforeCommit.apply(review)) {
            Updated updated = commitPut(caller, resource, current, stored, object);
            if (updated != null) {
                pending.committed();
            }
            return updated;
        }
    }

    private static ObjectNode merged(
            ServedResource resource, String subresource, ObjectNode wanted, ObjectNode stored) {
        if (!subresource.isEmpty()) {
            ObjectNode merged = resource.rules().merge(subresource, wanted, stored);
            String revision = Meta.resourceVersion(wanted);
            if (revision.isEmpty()) {
                Meta.of(merged).remove("resourceVersion");
            }
            return merged;
        }
        if (resource.hasStatus()) {
            JsonNode status = stored.get("status");
            if (status == null) {
                wanted.remove("status");
            } else {
                wanted.set("status", status.deepCopy());
            }
        }
        return wanted;
    }

    private static boolean vanishes(ServedResource resource, ObjectNode object) {
        return Meta.isTerminating(object)
                && Meta.finalizers(object).isEmpty()
                && resource.rules().mayVanish(object);
    }

    private @Nullable Updated commitPut(
            Caller caller, ServedResource resource, Entry current, ObjectNode stored, ObjectNode object) {
        byte[] value = resource.codec().toStore(object);
        if (Arrays.equals(value, current.value()) || Json.read(value).equals(Json.read(current.value()))) {
            return new Updated(stored, false);
        }
        if (caller.dryRun()) {
            return new Updated(object, false);
        }
        return switch (resource.guard().commit(store, new Write.Put(current.key(), value, current.revision()))) {
            case CommitResult.Committed committed -> new Updated(withRevision(object, committed.revision()), false);
            case CommitResult.Mismatch ignored -> null;
        };
    }

    private boolean commitDelete(Caller caller, ServedResource resource, Entry current) {
        Write.Delete write = new Write.Delete(current.key(), current.revision());
        return caller.dryRun() || resource.guard().commit(store, write) instanceof CommitResult.Committed;
    }

    /** The outcome, or null if the stored object has changed meanwhile. */
    private @Nullable Deleted remove(
            Caller caller, ServedResource resource, Entry current, ObjectNode stored, DeleteOptions options) {
        Preconditions.ofDelete(resource, stored, options);
        resource.rules().checkDelete(Meta.name(stored));
        admit(resource, review(caller, resource, Operation.DELETE, "", stored, null));
        resource.rules().deletionWarnings(stored).forEach(caller.warnings());
        ObjectNode object = stored.deepCopy();
        if (!Meta.isTerminating(stored)) {
            resource.rules().prepareForDelete(object);
        }
        List<String> finalizers = resource.rules().ownsDependents()
                ? options.propagation().finalizers(Meta.finalizers(object))
                : Meta.finalizers(object);
        if (finalizers.isEmpty() && resource.rules().mayVanish(object)) {
            return commitDelete(caller, resource, current) ? new Deleted(stored, true) : null;
        }
        if (!Meta.isTerminating(stored)) {
            SystemMetadata.markForDeletion(object, clock.instant());
        }
        Meta.setStrings(Meta.of(object), "finalizers", finalizers);
        Updated marked = commitPut(caller, resource, current, stored, object);
        return marked == null ? null : new Deleted(marked.object(), false);
    }

    private static void admit(ServedResource resource, AdmissionHook.Review review) {
        resource.admission().forEach(hook -> hook.admit(review));
    }

    /** Of the objects as they are at each question: a rule may complete a new one in between. */
    private static AdmissionHook.Review review(
            Caller caller,
            ServedResource resource,
            Operation operation,
            String subresource,
            @Nullable ObjectNode old,
            @Nullable ObjectNode object) {
        ObjectNode either = object == null ? Objects.requireNonNull(old) : object;
        return new AdmissionHook.Review(
                operation,
                resource.type(),
                subresource,
                Meta.namespace(either),
                Meta.name(either),
                caller.user(),
                caller.isUserEverywhere(),
                old,
                object,
                caller.dryRun());
    }

    private static ObjectNode withRevision(ObjectNode object, long revision) {
        Meta.of(object).put("resourceVersion", Long.toString(revision));
        return object;
    }
}
