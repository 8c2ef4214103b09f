package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.informers.ObjectListener;
import io.fairlead.fleet.informers.Subscription;
import io.fairlead.fleet.informers.WatchedObjects;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the controllers of the objects of a rule have made in a hosted cluster, by owner reference or by label, as far as the
 * rule names the resources. Those of an object that lost are deleted while the conflict lasts.
 *
 * <p>Threads: those of informers, and one that deletes; one lock, under which nothing is waited for.
 */
final class ClusterOutputs implements AutoCloseable {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final ClusterName cluster;
    private final RuleSpec spec;
    private final Supplier<String> kind;
    private final Consumer<ObjectKey> changed;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /** Guarded by this. */
    private final Map<Output, Owned> outputs = new HashMap<>();

    /** The outputs of each object; guarded by this. */
    private final Map<ObjectKey, Set<Output>> byOwner = new HashMap<>();

    /** The object that is an output, of one of the rule's resources. */
    private record Output(int resource, String namespace, String name) {}

    /** @param isListed whether it was in the present list */
    private record Owned(Set<Owner> owners, String uid, boolean isListed) {}

    /**
     * An object that an output may be of.
     *
     * @param kind as the output names it; empty if only the rule's kind can be meant
     */
    private record Owner(ObjectKey key, String kind) {}

    /**
     * Nothing is followed before {@link #start}.
     *
     * @param kind that of the rule's resource; empty until it is known: then {@link #kindIsKnown} is to be called
     * @param changed is told of the objects whose outputs have appeared or are gone; must not wait
     */
    ClusterOutputs(ClusterName cluster, RuleSpec spec, Supplier<String> kind, Consumer<ObjectKey> changed) {
        this.cluster = cluster;
        this.spec = spec;
        this.kind = kind;
        this.changed = changed;
    }

    /** Once: a rule begins again when its author has the rights again. */
    void start(Informers informers) {
        if (!subscriptions.isEmpty()) {
            return;
        }
        for (int i = 0; i < spec.withdraw().size(); i++) {
            subscriptions.add(informers.follow(
                    new WatchedObjects(cluster, spec.withdraw().get(i).resource()), new OutputListener(i)));
        }
    }

    /** Whether all outputs are known: until then no object is said to have none. */
    Finding state() {
        return subscriptions.stream()
                .map(Subscription::state)
                .filter(state -> state.status() != Finding.Status.TRUE)
                .findFirst()
                .orElseGet(() -> Finding.yes("Observing", "its outputs are observed"));
    }

    /** Tells whether an object has outputs, so that what is told last is true; what it is told must not ask here. */
    synchronized void tell(ObjectKey owner, BiConsumer<ObjectKey, Boolean> isLive) {
        String known = kind.get();
        isLive.accept(
                owner,
                byOwner.getOrDefault(owner, Set.of()).stream()
                        .anyMatch(output -> known.isEmpty() || isOf(output, owner, known)));
    }

    /** From now on it is known which of the objects that outputs name are of the rule's kind. */
    void kindIsKnown() {
        List<ObjectKey> owners;
        synchronized (this) {
            owners = List.copyOf(byOwner.keySet());
        }
        owners.forEach(changed);
    }

    private boolean isOf(Output output, ObjectKey owner, String known) {
        Owned owned = outputs.get(output);
        return owned != null
                && (owned.owners().contains(new Owner(owner, known))
                        || owned.owners().contains(new Owner(owner, "")));
    }

    /**
     * Deletes the outputs of an object; it is observed later that they are gone. Waits for the cluster.
     *
     * @return what was deleted
     * @throws CallFailure of the first that could not be deleted, after all were tried
     */
    List<String> withdraw(ObjectKey owner, ClusterCalls calls) throws CallFailure, InterruptedException {
        String known = kind.get();
        if (known.isEmpty()) {
            throw new CallFailure(0, "KindNotKnown", "its kind is not known yet");
        }
        Map<Output, String> uids = new HashMap<>();
        synchronized (this) {
            for (Output output : byOwner.getOrDefault(owner, Set.of())) {
                Owned owned = outputs.get(output);
                if (owned != null && isOf(output, owner, known)) {
                    uids.put(output, owned.uid());
                }
            }
        }
        List<String> deleted = new ArrayList<>();
        @Nullable CallFailure failed = null;
        for (Map.Entry<Output, String> each : uids.entrySet()) {
            ObjectKey key = new ObjectKey(
                    owner.cluster(), each.getKey().namespace(), each.getKey().name());
            if (!ObjectPath.isPlain(key)) {
                continue;
            }
            GroupVersionResource resource =
                    spec.withdraw().get(each.getKey().resource()).resource();
            ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
            options.putObject("preconditions").put("uid", each.getValue());
            try {
                calls.delete(ObjectPath.of(resource, key), options);
                deleted.add(resource.resource() + " \"" + key.name() + "\"");
            } catch (CallFailure failure) {
                // Otherwise another object of that name is none of these.
                if (failed == null && failure.code() != CONFLICT && failure.code() != NOT_FOUND) {
                    failed = failure;
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
        return deleted;
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
    }

    private final class OutputListener implements ObjectListener {
        private final int resource;

        OutputListener(int resource) {
            this.resource = resource;
        }

        @Override
        public void listing() {
            synchronized (ClusterOutputs.this) {
                outputs.replaceAll((output, owned) ->
                        output.resource() == resource ? new Owned(owned.owners(), owned.uid(), false) : owned);
            }
        }

        @Override
        public void seen(JsonNode object) {
            Output output = output(object);
            Set<Owner> owners = owners(object);
            Set<ObjectKey> concerned = new HashSet<>();
            synchronized (ClusterOutputs.this) {
                concerned.addAll(forget(output));
                if (!owners.isEmpty()) {
                    outputs.put(
                            output, new Owned(owners, object.at("/metadata/uid").asString(""), true));
                    for (Owner owner : owners) {
                        byOwner.computeIfAbsent(owner.key(), _ -> new HashSet<>())
                                .add(output);
                        concerned.add(owner.key());
                    }
                }
            }
            concerned.forEach(changed);
        }

        @Override
        public void removed(JsonNode object) {
            forget(output(object)).forEach(changed);
        }

        @Override
        public void listed(String resourceVersion) {
            List<Output> gone;
            synchronized (ClusterOutputs.this) {
                gone = outputs.entrySet().stream()
                        .filter(entry -> entry.getKey().resource() == resource
                                && !entry.getValue().isListed())
                        .map(Map.Entry::getKey)
                        .toList();
            }
            gone.forEach(output -> forget(output).forEach(changed));
        }

        private Output output(JsonNode object) {
            return new Output(
                    resource,
                    object.at("/metadata/namespace").asString(""),
                    object.at("/metadata/name").asString(""));
        }

        /** The objects of which it may be, in its own namespace: of references those to kinds of the rule's group. */
        private Set<Owner> owners(JsonNode object) {
            String namespace = object.at("/metadata/namespace").asString("");
            String label = spec.withdraw().get(resource).nameLabel();
            if (!label.isEmpty()) {
                String name = object.path("metadata").path("labels").path(label).asString("");
                return name.isEmpty() ? Set.of() : Set.of(new Owner(new ObjectKey(cluster, namespace, name), ""));
            }
            Set<Owner> owners = new HashSet<>();
            for (JsonNode reference : object.at("/metadata/ownerReferences").values()) {
                String apiVersion = reference.path("apiVersion").asString("");
                int slash = apiVersion.indexOf('/');
                String group = slash < 0 ? "" : apiVersion.substring(0, slash);
                if (group.equals(spec.resource().group())) {
                    ObjectKey key = new ObjectKey(
                            cluster, namespace, reference.path("name").asString(""));
                    owners.add(new Owner(key, reference.path("kind").asString("")));
                }
            }
            return owners;
        }
    }

    /** The objects of which it was. */
    private synchronized Set<ObjectKey> forget(Output output) {
        Owned owned = outputs.remove(output);
        if (owned == null) {
            return Set.of();
        }
        Set<ObjectKey> keys = owned.owners().stream().map(Owner::key).collect(Collectors.toSet());
        for (ObjectKey key : keys) {
            byOwner.computeIfPresent(key, (_, all) -> {
                all.remove(output);
                return all.isEmpty() ? null : all;
            });
        }
        return keys;
    }
}
