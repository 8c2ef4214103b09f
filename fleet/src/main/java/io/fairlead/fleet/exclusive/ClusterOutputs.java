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
import java.util.function.Consumer;
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
    private final Consumer<ObjectKey> changed;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /** Guarded by this. */
    private final Map<Output, Owned> outputs = new HashMap<>();

    /** The outputs of each object; guarded by this. */
    private final Map<ObjectKey, Set<Output>> byOwner = new HashMap<>();

    /** The object that is an output, of one of the rule's resources. */
    private record Output(int resource, String namespace, String name) {}

    /** @param isListed whether it was in the present list */
    private record Owned(ObjectKey owner, String uid, boolean isListed) {}

    /** @param changed is told of the objects whose outputs have appeared or are gone; must not wait */
    ClusterOutputs(ClusterName cluster, RuleSpec spec, Consumer<ObjectKey> changed) {
        this.cluster = cluster;
        this.spec = spec;
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

    /** Whether an object has outputs. */
    synchronized boolean isLive(ObjectKey owner) {
        return byOwner.containsKey(owner);
    }

    /**
     * Deletes the outputs of an object; it is observed later that they are gone. Waits for the cluster.
     *
     * @return what was deleted
     */
    List<String> withdraw(ObjectKey owner, ClusterCalls calls) throws CallFailure, InterruptedException {
        Map<Output, String> uids = new HashMap<>();
        synchronized (this) {
            for (Output output : byOwner.getOrDefault(owner, Set.of())) {
                Owned owned = outputs.get(output);
                if (owned != null) {
                    uids.put(output, owned.uid());
                }
            }
        }
        List<String> deleted = new ArrayList<>();
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
                if (failure.code() != CONFLICT && failure.code() != NOT_FOUND) {
                    throw failure; // another object of that name is none of these
                }
            }
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
                        output.resource() == resource ? new Owned(owned.owner(), owned.uid(), false) : owned);
            }
        }

        @Override
        public void seen(JsonNode object) {
            Output output = output(object);
            ObjectKey owner = owner(object);
            ObjectKey before = forget(output);
            if (owner != null) {
                synchronized (ClusterOutputs.this) {
                    outputs.put(
                            output, new Owned(owner, object.at("/metadata/uid").asString(""), true));
                    byOwner.computeIfAbsent(owner, _ -> new HashSet<>()).add(output);
                }
            }
            tell(before, owner);
        }

        @Override
        public void removed(JsonNode object) {
            tell(forget(output(object)), null);
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
            gone.forEach(output -> tell(forget(output), null));
        }

        private Output output(JsonNode object) {
            return new Output(
                    resource,
                    object.at("/metadata/namespace").asString(""),
                    object.at("/metadata/name").asString(""));
        }

        /** The object of which it is, in its own namespace; null if it is none's. */
        private @Nullable ObjectKey owner(JsonNode object) {
            String namespace = object.at("/metadata/namespace").asString("");
            String label = spec.withdraw().get(resource).nameLabel();
            if (!label.isEmpty()) {
                String name = object.path("metadata").path("labels").path(label).asString("");
                return name.isEmpty() ? null : new ObjectKey(cluster, namespace, name);
            }
            for (JsonNode reference : object.at("/metadata/ownerReferences").values()) {
                String apiVersion = reference.path("apiVersion").asString("");
                int slash = apiVersion.indexOf('/');
                String group = slash < 0 ? "" : apiVersion.substring(0, slash);
                if (group.equals(spec.resource().group())) {
                    return new ObjectKey(
                            cluster, namespace, reference.path("name").asString(""));
                }
            }
            return null;
        }
    }

    private synchronized @Nullable ObjectKey forget(Output output) {
        Owned owned = outputs.remove(output);
        if (owned == null) {
            return null;
        }
        byOwner.computeIfPresent(owned.owner(), (_, all) -> {
            all.remove(output);
            return all.isEmpty() ? null : all;
        });
        return owned.owner();
    }

    private void tell(@Nullable ObjectKey before, @Nullable ObjectKey after) {
        if (before != null) {
            changed.accept(before);
        }
        if (after != null && !after.equals(before)) {
            changed.accept(after);
        }
    }
}
