package io.fairlead.hosted.cluster;

import io.fairlead.hosted.StoredDefinition;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.crd.DefinitionGate;
import io.fairlead.hosted.discovery.Digests;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.verbs.Watches;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the CustomResourceDefinitions in the store into served types in the registry, and ends the watches of
 * definitions whose objects are encoded differently from then on.
 *
 * <p>Threads: only its follower's, after construction.
 */
final class Definitions implements Follower.Target {
    private final CustomResources resources;
    private final DefinitionGate gate;
    private final TypeRegistry types;
    private final Watches watches;
    private final Map<String, Known> known = new HashMap<>();

    /**
     * What a definition was compiled to, and from what.
     *
     * @param token identifies this compilation until the next one
     */
    private record Known(Outline outline, long revision, Object token, TypeRegistry.Definition made, String prefix) {
        String name() {
            return made.held().name();
        }
    }

    /**
     * The part of a definition that decides what it serves.
     *
     * @param spec the digest of the spec
     * @param status the accepted names, and whether it is established
     */
    private record Outline(String uid, String spec, boolean terminating, List<JsonNode> status) {
        static Outline of(ObjectNode definition) {
            JsonNode status = definition.path("status");
            String established = status.path("conditions")
                    .valueStream()
                    .filter(condition -> condition.path("type").asString("").equals("Established"))
                    .map(condition -> condition.path("status").asString(""))
                    .findFirst()
                    .orElse("");
            return new Outline(
                    Meta.uid(definition),
                    Digests.ofContent(Json.write(definition.path("spec"))),
                    Meta.isTerminating(definition),
                    List.of(status.path("acceptedNames"), Json.nodes().stringNode(established)));
        }
    }

    /**
     * Subscribes to definitions.
     *
     * @param definitions the resource of the definitions
     */
    Definitions(
            Follower follower,
            ServedResource definitions,
            CustomResources resources,
            DefinitionGate gate,
            TypeRegistry types,
            Watches watches) {
        this.resources = resources;
        this.gate = gate;
        this.types = types;
        this.watches = watches;
        follower.follow(definitions.prefix(), this);
    }

    @Override
    public void start(List<Entry> entries, long revision) {
        Map<String, TypeRegistry.Definition> initial = new TreeMap<>();
        for (Entry entry : entries) {
            ObjectNode tree = (ObjectNode) Json.read(entry.value());
            Known made = make(entry, tree, null);
            known.put(entry.key(), made);
            gate.stored(made.name(), DefinitionGate.bytes(tree, entry.value().length));
            gate.show(made.name(), made.token(), made.revision());
            initial.put(made.name(), made.made());
        }
        types.start(initial, revision);
    }

    @Override
    public void put(Entry entry) {
        Known before = known.get(entry.key());
        if (before != null && before.revision() == entry.revision()) {
            return;
        }
        ObjectNode tree = (ObjectNode) Json.read(entry.value());
        if (before != null && !before.outline().uid().equals(Meta.uid(tree))) {
            // Deleted and created again since the last look: the new one inherits nothing.
            forget(entry.key(), before, entry.revision());
            before = null;
        }
        Known now = make(entry, tree, before);
        known.put(entry.key(), now);
        gate.show(now.name(), now.token(), now.revision());
        types.put(now.made(), entry.revision());
        if (before != null && !before.outline().spec().equals(now.outline().spec())) {
            watches.endAll(now.prefix());
        }
    }

    @Override
    public void remove(String key, long revision) {
        Known before = known.get(key);
        if (before != null) {
            forget(key, before, revision);
        }
    }

    private void forget(String key, Known gone, long revision) {
        known.remove(key);
        gate.show(gone.name(), null, revision);
        types.remove(gone.name(), revision);
        watches.forgetAll(gone.prefix());
    }

    private Known make(Entry entry, ObjectNode tree, @Nullable Known before) {
        StoredDefinition stored = new StoredDefinition(entry.value());
        Outline outline = Outline.of(tree);
        if (before != null && before.outline().equals(outline)) {
            TypeRegistry.Definition made = before.made();
            ServedType held = made.held().storedAs(stored, entry.revision());
            return new Known(
                    outline,
                    entry.revision(),
                    before.token(),
                    new TypeRegistry.Definition(held, made.open(), made.resources()),
                    before.prefix());
        }
        CustomResourceDefinition definition = CustomResourceDefinition.stored(tree);
        Object token = new Object();
        ServedType held = resources.held(definition, outline.uid(), stored, entry.revision());
        String name = definition.name();
        List<ServedResource> served = resources.served(definition, token, () -> types.isOpen(name, outline.uid()));
        return new Known(
                outline,
                entry.revision(),
                token,
                new TypeRegistry.Definition(held, !outline.terminating(), served),
                resources.prefix(definition));
    }
}
