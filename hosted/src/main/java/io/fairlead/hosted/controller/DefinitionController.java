package io.fairlead.hosted.controller;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.crd.AcceptedNames;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.crd.DefinitionKind;
import io.fairlead.hosted.crd.NameClaims;
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
import io.fairlead.model.StatusException;
import io.fairlead.schema.crd.ApprovalRule;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.crd.TrustedCertificates;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reconciles CustomResourceDefinitions: accepts their names, establishes them, and deletes their objects before them
 * (apiextensions {@code controller/status}, {@code establish} and {@code finalizer}).
 *
 * <p>A definition is looked at when it changes, when another of its group goes, and, while it is terminating, when one
 * of its objects does.
 */
public final class DefinitionController implements AutoCloseable {
    private final RevisionedStore store;
    private final ServedResource definitions;
    private final CustomResources resources;
    /** Confined to the worker, after construction. */
    private final AcceptedNames accepted;

    private final ObjectWriter writer;
    private final WriteGate gate;
    private final InstantSource clock;
    private final Caller caller = Caller.controller("crd-controller");
    /** The definitions whose objects must go first, by the prefix of these. */
    private final Map<String, String> emptying = new ConcurrentHashMap<>();

    private final KeyQueue queue;
    private final RevisionFeed.Following following;

    /**
     * Starts with the existing definitions.
     *
     * @param definitions the resource of the definitions themselves
     * @param builtIn the built-in kinds, whose names are taken
     */
    public DefinitionController(
            RevisionedStore store,
            RevisionFeed log,
            ClusterKeys keys,
            ServedResource definitions,
            CustomResources resources,
            List<ResourceType> builtIn,
            ObjectWriter writer,
            WriteGate gate,
            InstantSource clock,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.definitions = definitions;
        this.resources = resources;
        this.accepted = new AcceptedNames(builtIn);
        this.writer = writer;
        this.gate = gate;
        this.clock = clock;
        this.queue = new KeyQueue("crd-controller", this::reconcile, scheduler);
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
        for (Entry entry : store.list(definitions.prefix(), null, 0, revision)) {
            accepted.put(Json.read(entry.value()));
            queue.add(entry.key().substring(definitions.prefix().length()));
        }
    }

    private void noticed(RevisionEvent event) {
        if (event.key().startsWith(definitions.prefix())) {
            queue.add(event.key().substring(definitions.prefix().length()));
        } else if (event.value() == null) {
            emptying.forEach((prefix, name) -> {
                if (event.key().startsWith(prefix)) {
                    queue.add(name);
                }
            });
        }
    }

    private boolean reconcile(String name) {
        Entry entry = store.get(definitions.key("", name));
        if (entry == null) {
            accepted.remove(name).forEach(queue::add);
            return true;
        }
        CustomResourceDefinition definition = read(entry);
        accepted.put(definition.tree());
        if (!Meta.isTerminating(definition.tree())) {
            acceptNames(definition);
            return true;
        }
        return !Meta.finalizers(definition.tree()).contains(DefinitionKind.FINALIZER) || cleanUp(definition);
    }

    private void acceptNames(CustomResourceDefinition definition) {
        NameClaims claims = NameClaims.of(definition, accepted);
        update(definition.name(), "status", wanted -> {
            wanted.withObjectProperty("status").set("acceptedNames", claims.accepted());
            Conditions conditions = new Conditions(wanted, clock.instant());
            conditions.set("NamesAccepted", claims.areAccepted(), claims.reason(), claims.message());
            boolean isTrusting = TrustedCertificates.areReadable(definition);
            if (claims.areAccepted() && !isTrusting && !conditions.isTrue("Established")) {
                conditions.set("Established", false, "InvalidCABundle", "The conversion webhook CABundle is invalid");
            } else if (claims.areAccepted()) {
                conditions.set("Established", true, "InitialNamesAccepted", "the initial names have been accepted");
            } else if (!conditions.isTrue("Established")) {
                conditions.set("Established", false, "NotAccepted", "not all names are accepted");
            }
            reportApproval(definition, conditions);
        });
        accepted.put(definition, claims.accepted());
    }

    private static void reportApproval(CustomResourceDefinition definition, Conditions conditions) {
        if (!ApprovalRule.isProtected(definition.group())) {
            return;
        }
        String type = "KubernetesAPIApprovalPolicyConformant";
        String annotation = "\"" + ApprovalRule.ANNOTATION + "\"";
        switch (ApprovalRule.state(definition)) {
            case MISSING ->
                conditions.set(
                        type,
                        false,
                        "MissingAnnotation",
                        "protected groups must have approval annotation " + annotation);
            case APPROVED -> conditions.set(type, true, "ApprovedAnnotation", "approved by " + annotation);
            case BYPASSED -> conditions.set(type, false, "UnapprovedAnnotation", "not approved: " + annotation);
            case INVALID -> conditions.set(type, false, "InvalidAnnotation", "no URL and no reason: " + annotation);
        }
    }

    /** Deletes the objects; whether none is left. */
    private boolean cleanUp(CustomResourceDefinition definition) {
        gate.drain(resources.prefix(definition));
        ServedResource objects = resources.stored(definition);
        AtomicBoolean left = new AtomicBoolean();
        store.forEach(objects.prefix(), store.revision(), entry -> {
            if (!isGone(objects, objects.read(entry))) {
                left.set(true);
            }
        });
        if (left.get()) {
            emptying.put(objects.prefix(), definition.name());
            update(
                    definition.name(),
                    "status",
                    wanted -> new Conditions(wanted, clock.instant())
                            .set(
                                    "Terminating",
                                    true,
                                    "InstanceDeletionInProgress",
                                    "CustomResource deletion is in progress"));
            return false;
        }
        update(
                definition.name(),
                "status",
                wanted -> new Conditions(wanted, clock.instant())
                        .set("Terminating", false, "InstanceDeletionCompleted", "removed all instances"));
        update(definition.name(), "", wanted -> {
            List<String> finalizers = new ArrayList<>(Meta.finalizers(wanted));
            finalizers.remove(DefinitionKind.FINALIZER);
            Meta.setStrings(Meta.of(wanted), "finalizers", finalizers);
        });
        return true;
    }

    private boolean isGone(ServedResource objects, ObjectNode object) {
        try {
            return writer.delete(caller, objects, Meta.namespace(object), Meta.name(object), DeleteOptions.NONE)
                    .gone();
        } catch (StatusException e) {
            if (e.status().code() == 404) {
                return true;
            }
            throw e;
        }
    }

    private void update(String name, String subresource, Consumer<ObjectNode> change) {
        try {
            writer.update(caller, definitions, "", name, subresource, stored -> {
                ObjectNode wanted = stored.deepCopy();
                change.accept(wanted);
                return wanted;
            });
        } catch (StatusException e) {
            if (e.status().code() != 404) {
                throw e;
            }
        }
    }

    private static CustomResourceDefinition read(Entry entry) {
        return CustomResourceDefinition.stored((ObjectNode) Json.read(entry.value()));
    }
}
