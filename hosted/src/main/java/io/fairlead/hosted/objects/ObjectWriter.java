package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.meta.GeneratedNames;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.ObjectName;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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
    private final Commits commits;
    private final FieldManagers managers;
    private final Companions companions;

    /**
     * For one cluster.
     *
     * @param objectBytesMax how large an object may become, managers included
     * @param beforeCommit asked about each object just before it is stored
     */
    public ObjectWriter(
            RevisionedStore store,
            ClusterKeys keys,
            InstantSource clock,
            WriteGate gate,
            int objectBytesMax,
            Function<AdmissionHook.Review, CommitHook.Pending> beforeCommit,
            Companions companions) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
        this.gate = gate;
        this.beforeCommit = beforeCommit;
        this.commits = new Commits(store, objectBytesMax, beforeCommit);
        this.managers = new FieldManagers(clock);
        this.companions = companions;
    }

    /** Computes the desired object from the stored one; may be called several times. */
    @FunctionalInterface
    public interface Change {
        /** The desired object, decoded and owned by the caller; must not change the stored one, which is empty if there is none. */
        ObjectNode apply(ObjectNode stored);

        /** Whether the desired object says already who manages its fields. */
        default boolean recordsManagers() {
            return false;
        }
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
        caller.work().creates(resource.codec());
        String base = decoded.path("metadata").path("generateName").asString("");
        boolean generated = Meta.name(decoded).isEmpty() && !base.isEmpty();
        for (int attempt = 1; ; attempt++) {
            ObjectNode object = decoded.deepCopy();
            if (generated) {
                Meta.of(object).put("name", GeneratedNames.next(base, ThreadLocalRandom.current()));
            }
            ObjectNode created = createNamed(caller, resource, namespace, "", object, false, () -> {});
            if (created != null) {
                return created;
            }
            if (!generated || attempt == GeneratedNames.ATTEMPTS) {
                throw Refusals.alreadyExists(
                        resource.groupResource(),
                        Meta.name(object),
                        !base.isEmpty(),
                        isBeingDeleted(resource, namespace, object));
            }
        }
    }

    private boolean isBeingDeleted(ServedResource resource, String namespace, ObjectNode object) {
        Entry there = store.get(resource.key(namespace, Meta.name(object)));
        return there != null && ObjectName.of(there.value()).isTerminating();
    }

    /** Changes an object. */
    public Updated update(
            Caller caller, ServedResource resource, String namespace, String name, String subresource, Change change) {
        return update(caller, resource, namespace, name, subresource, change, null);
    }

    /**
     * Changes an object, or creates it where the kind allows that: also by what is written to its status, whose strategy is that of the
     * kind (kubernetes {@code registry/core/service/storage}).
     *
     * @param permission for a new object
     */
    public Updated updateOrCreate(
            Caller caller,
            ServedResource resource,
            String namespace,
            String name,
            String subresource,
            Change change,
            CreationPermission permission) {
        boolean mayCreate = resource.rules().createsOnUpdate();
        return update(caller, resource, namespace, name, subresource, change, mayCreate ? permission : null);
    }

    /**
     * Applies a configuration to an object (server-side apply, KEP-555), or creates the object by it.
     *
     * @param permission for a new object
     */
    public Updated apply(
            Caller caller,
            ServedResource resource,
            String namespace,
            String name,
            String subresource,
            AppliedConfiguration configuration,
            CreationPermission permission) {
        Change change = new Change() {
            @Override
            public ObjectNode apply(ObjectNode stored) {
                return managers.applied(resource, subresource, caller, stored, configuration);
            }

            @Override
            public boolean recordsManagers() {
                return true;
            }
        };
        boolean mayCreate = subresource.isEmpty() || resource.rules().createsOnUpdate();
        return update(caller, resource, namespace, name, subresource, change, mayCreate ? permission : null);
    }

    private Updated update(
            Caller caller,
            ServedResource resource,
            String namespace,
            String name,
            String subresource,
            Change change,
            @Nullable CreationPermission permission) {
        String key = resource.key(namespace, name);
        long patienceEnds = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < patienceEnds) {
            Entry current = caller.work().toChange(resource.codec(), () -> store.get(key));
            if (current == null) {
                if (permission == null) {
                    throw Refusals.notFound(resource.groupResource(), name);
                }
                caller.work().creates(resource.codec());
                ObjectNode wanted = change.apply(Json.object());
                Preconditions.ofCreationByUpdate(resource, name, wanted);
                permission.early().run();
                boolean managed = change.recordsManagers();
                ObjectNode created =
                        createNamed(caller, resource, namespace, subresource, wanted, managed, permission.late());
                if (created != null) {
                    return new Updated(created, true);
                }
                continue; // another client created it meanwhile
            }
            ObjectNode stored = resource.judged(current);
            ObjectNode wanted = change.apply(stored);
            try (WriteGate.Passage _ = resource.guard().enter()) {
                Updated updated =
                        replace(caller, resource, subresource, current, stored, wanted, change.recordsManagers());
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
            Entry current = caller.work().toRead(resource.codec(), () -> store.get(key));
            if (current == null) {
                throw Refusals.notFound(resource.groupResource(), name);
            }
            try (WriteGate.Passage _ = resource.guard().enter()) {
                Deleted deleted = remove(caller, resource, current, resource.judged(current), options);
                if (deleted != null) {
                    return deleted;
                }
            }
        }
        throw Refusals.serverTimeout(resource.groupResource(), "delete");
    }

    /**
     * The created object, or null if its name is taken.
     *
     * @param subresource what was written, whose managers are recorded
     */
    private @Nullable ObjectNode createNamed(
            Caller caller,
            ServedResource resource,
            String namespace,
            String subresource,
            ObjectNode object,
            boolean managed,
            Runnable permission) {
        SystemMetadata.begin(resource, namespace, object, clock.instant());
        resource.rules().complete(object);
        if (!managed) {
            managers.created(resource, subresource, caller, object);
        }
        try (WriteGate.Passage _ = pass(resource, namespace);
                WriteGate.Passage _ = resource.guard().enter()) {
            Preconditions.ofCreation(resource, object);
            if (!namespace.isEmpty() && resource.type().namespaced()) {
                NamespaceLifecycle.checkOpen(store, keys, resource, namespace, Meta.name(object));
            }
            AdmissionHook.Review review = Reviews.of(caller, resource, Operation.CREATE, subresource, null, object);
            Reviews.admit(resource, review);
            OwnerReferences.dropEqualAdmitted(object, caller.warnings());
            prepareForCreate(resource, object);
            Reviews.validate(resource, review);
            permission.run();
            resource.rules().warnings(object).forEach(caller.warnings());
            Optional<ObjectNode> reviewed = resource.rules().review(object, caller.dryRun());
            return reviewed.isPresent() ? reviewed.get() : commits.add(resource, object, review);
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
        if (resource.hasStatus() && !resource.rules().keepsStatusOfNew()) {
            object.remove("status");
        }
        if (resource.rules().countsGeneration()) {
            Meta.of(object).put("generation", 1);
        }
        resource.rules().prepareForCreate(object);
    }

    /** The outcome, or null if the stored object has changed meanwhile. */
    private @Nullable Updated replace(
            Caller caller,
            ServedResource resource,
            String subresource,
            Entry current,
            ObjectNode stored,
            ObjectNode wanted,
            boolean managed) {
        Preconditions.ofUpdate(resource, stored, wanted);
        JsonNode sentManagers = Meta.of(wanted).get("managedFields");
        ObjectNode written = resource.isStoredOtherwise() ? wanted.deepCopy() : null;
        ObjectNode object = merged(resource, subresource, wanted, stored);
        resource.rules().complete(object);
        if (managed) {
            FieldManagers.keep(object, sentManagers);
        } else {
            managers.updated(
                    resource, subresource, caller, sentManagers, object, stored, written == null ? object : written);
        }
        AdmissionHook.Review review = Reviews.of(caller, resource, Operation.UPDATE, subresource, stored, object);
        Reviews.admit(resource, review);
        OwnerReferences.dropEqualAdmitted(object, caller.warnings());
        SystemMetadata.keep(object, stored);
        resource.rules().prepareForUpdate(subresource, object, stored);
        SystemMetadata.countGeneration(resource, object, stored);
        Reviews.validate(resource, review);
        if (subresource.isEmpty() || subresource.equals(Scale.SUBRESOURCE)) {
            resource.rules().updateWarnings(object, stored).forEach(caller.warnings());
        }
        if (resource.vanishes(object)) {
            return isRemoved(caller, resource, current, object) ? new Updated(object, false) : null;
        }
        FieldManagers.keepTimes(object, stored);
        if (!subresource.isEmpty()) {
            return commits.put(caller, resource, current, stored, object);
        }
        try (CommitHook.Pending pending = beforeCommit.apply(review)) {
            Updated updated = commits.put(caller, resource, current, stored, object);
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

    /** Removes an object, and what goes along with it; false if it has changed meanwhile. */
    private boolean isRemoved(Caller caller, ServedResource resource, Entry current, ObjectNode object) {
        if (!commits.delete(caller, resource, current)) {
            return false;
        }
        companions.delete(this, caller, resource, object);
        return true;
    }

    /** The outcome, or null if the stored object has changed meanwhile. */
    private @Nullable Deleted remove(
            Caller caller, ServedResource resource, Entry current, ObjectNode stored, DeleteOptions options) {
        Preconditions.ofDelete(resource, stored, options);
        resource.rules().checkDelete(Meta.name(stored));
        Reviews.admit(resource, Reviews.of(caller, resource, Operation.DELETE, "", stored, null));
        resource.rules().deletionWarnings(stored).forEach(caller.warnings());
        if (options.propagation() == Propagation.UNSET) {
            resource.rules().orphaningWarnings().forEach(caller.warnings());
        }
        ObjectNode object = stored.deepCopy();
        if (!Meta.isTerminating(stored)) {
            resource.rules().prepareForDelete(object);
        }
        List<String> finalizers = options.propagation().finalizers(Meta.finalizers(object), resource.rules());
        boolean vanishes = finalizers.isEmpty() && resource.rules().mayVanish(object);
        if (!Meta.isTerminating(stored) && (!vanishes || resource.rules().isDeletedGracefully())) {
            SystemMetadata.markForDeletion(resource.rules(), object, clock.instant());
        }
        if (vanishes) {
            return isRemoved(caller, resource, current, object) ? new Deleted(object, true) : null;
        }
        Meta.setStrings(Meta.of(object), "finalizers", finalizers);
        Updated marked = commits.mark(caller, resource, current, stored, object);
        return marked == null ? null : new Deleted(marked.object(), false);
    }
}
