package io.fairlead.hosted.cluster;

import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.log.LogEvent;
import io.fairlead.hosted.log.StoreLog;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.serve.ServedResource;
import io.fairlead.hosted.serve.Watches;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the CustomResourceDefinitions in the store into what the registry serves, as the log tells of them, and ends the
 * watches of those whose objects look different from then on.
 *
 * <p>Threads: the log's sequencer alone, after construction.
 */
final class Definitions implements AutoCloseable {
    private final ServedResource definitions;
    private final CustomResources resources;
    private final TypeRegistry types;
    private final Watches watches;
    private final Map<String, Known> known = new HashMap<>();
    private final StoreLog.Following following;

    /** What was made of a definition, and of which of its parts. */
    private record Known(ObjectNode definition, TypeRegistry.Definition made, String prefix) {}

    Definitions(
            RevisionedStore store,
            StoreLog log,
            ServedResource definitions,
            CustomResources resources,
            TypeRegistry types,
            Watches watches) {
        this.definitions = definitions;
        this.resources = resources;
        this.types = types;
        this.watches = watches;
        this.following = log.follow(definitions.prefix(), this::apply, revision -> start(store, revision));
    }

    @Override
    public void close() {
        following.close();
    }

    private void start(RevisionedStore store, long revision) {
        Map<String, TypeRegistry.Definition> initial = new TreeMap<>();
        for (RevisionedStore.Entry entry : store.list(definitions.prefix(), null, 0, revision)) {
            Known made = make((ObjectNode) Json.read(entry.value()), null);
            known.put(entry.key(), made);
            initial.put(made.made().held().name(), made.made());
        }
        types.start(initial, revision);
    }

    private void apply(LogEvent event) {
        byte[] value = event.value();
        Known before = known.get(event.key());
        if (value == null) {
            known.remove(event.key());
            if (before != null) {
                types.remove(before.made().held().name(), event.revision());
                watches.endAll(before.prefix());
            }
            return;
        }
        Known now = make((ObjectNode) Json.read(value), before);
        known.put(event.key(), now);
        types.put(now.made(), event.revision());
        if (before != null
                && !before.definition().path("spec").equals(now.definition().path("spec"))) {
            watches.endAll(now.prefix());
        }
    }

    private Known make(ObjectNode tree, @Nullable Known before) {
        if (before != null
                && !looksDifferent(before.definition(), tree)
                && Meta.uid(tree).equals(Meta.uid(before.definition()))) {
            TypeRegistry.Definition made = before.made();
            ServedType held = made.held().storedAs(tree);
            return new Known(tree, new TypeRegistry.Definition(held, made.open(), made.resources()), before.prefix());
        }
        CustomResourceDefinition definition = CustomResourceDefinition.stored(tree);
        String uid = Meta.uid(tree);
        ServedType held = CustomResources.held(definition, uid);
        List<ServedResource> served = resources.served(definition, () -> types.isOpen(definition.name(), uid));
        return new Known(
                tree,
                new TypeRegistry.Definition(held, !Meta.isTerminating(tree), served),
                resources.prefix(definition));
    }

    /** Whether anything changed that decides what is served. */
    private static boolean looksDifferent(ObjectNode before, ObjectNode now) {
        return !before.path("spec").equals(now.path("spec"))
                || Meta.isTerminating(before) != Meta.isTerminating(now)
                || !served(before).equals(served(now));
    }

    private static List<JsonNode> served(ObjectNode definition) {
        JsonNode status = definition.path("status");
        String established = status.path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("Established"))
                .map(condition -> condition.path("status").asString(""))
                .findFirst()
                .orElse("");
        return List.of(status.path("acceptedNames"), Json.nodes().stringNode(established));
    }
}
