package io.fairlead.hosted.rbac;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of the bootstrap policy, which nearly every cluster stores unchanged: shared by all clusters of the
 * process.
 *
 * <p>Immutable after loading; any thread.
 */
public final class BasePolicy {
    private static final Map<JsonNode, JsonNode> PARTS = new HashMap<>();
    private static final IdentityHashMap<JsonNode, List<PolicyRule>> RULES = new IdentityHashMap<>();
    private static final Map<Name, ObjectNode> OBJECTS = new HashMap<>();

    static {
        for (ObjectNode object : BootstrapPolicy.objects()) {
            object.forEach(BasePolicy::keep);
            object.path("metadata").forEach(BasePolicy::keep);
            share(object);
            OBJECTS.put(Name.of(object), object);
            JsonNode rules = PARTS.get(object.path("rules"));
            if (rules != null) {
                RULES.computeIfAbsent(rules, PolicyRule::listOf);
            }
        }
    }

    private record Name(JsonNode kind, JsonNode name) {
        static Name of(ObjectNode object) {
            return new Name(object.path("kind"), object.path("metadata").path("name"));
        }
    }

    private BasePolicy() {}

    private static void keep(JsonNode part) {
        PARTS.putIfAbsent(part, part);
    }

    /** The policy's object of the same kind and name; it must not be changed. */
    public static Optional<ObjectNode> like(ObjectNode object) {
        return Optional.ofNullable(OBJECTS.get(Name.of(object)));
    }

    /** Replaces parts of an object that equal the bootstrap policy's by the shared ones. */
    public static void share(ObjectNode object) {
        shareMembers(object);
        if (object.get("metadata") instanceof ObjectNode metadata) {
            shareMembers(metadata);
        }
    }

    /** The compiled form of rules that are shared ones. */
    static Optional<List<PolicyRule>> rules(JsonNode rules) {
        return Optional.ofNullable(RULES.get(rules));
    }

    private static void shareMembers(ObjectNode object) {
        object.properties().forEach(member -> {
            JsonNode shared = PARTS.get(member.getValue());
            if (shared != null) {
                member.setValue(shared);
            }
        });
    }
}
