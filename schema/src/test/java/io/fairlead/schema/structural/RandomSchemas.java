package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.RandomTrees;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random structural schemas of one seed, objects that they allow, and objects that they may not. */
final class RandomSchemas {
    private static final String[] NAMES = {"a", "b", "spec", "kind", "metadata", "x-y"};

    private final Random random;
    private final RandomTrees trees;

    RandomSchemas(long seed) {
        this.random = new Random(seed);
        this.trees = new RandomTrees(seed + 1);
    }

    /** A schema whose root is an object with a member {@code spec}. */
    ObjectNode schema() {
        ObjectNode root = Json.object().put("type", "object");
        root.putObject("properties").set("spec", object(4));
        return root;
    }

    private ObjectNode value(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 ->
                defaulted(Json.object().put("type", "string"), Json.nodes().stringNode("d"));
            case 1 ->
                defaulted(
                        Json.object().put("type", "integer").put("minimum", -5).put("maximum", 99),
                        Json.nodes().numberNode(7));
            case 2 ->
                defaulted(Json.object().put("type", "boolean"), Json.nodes().booleanNode(true));
            case 3 -> Json.object().put("x-kubernetes-int-or-string", true);
            case 4 -> object(depth - 1);
            case 5 -> Json.object().put("type", "array").set("items", value(depth - 1));
            default -> Json.object().put("type", "object").set("additionalProperties", value(depth - 1));
        };
    }

    private ObjectNode defaulted(ObjectNode schema, JsonNode value) {
        if (random.nextInt(3) == 0) {
            schema.set("default", value);
        }
        if (random.nextInt(4) == 0) {
            schema.put("nullable", true);
        }
        return schema;
    }

    private ObjectNode object(int depth) {
        ObjectNode schema = Json.object().put("type", "object");
        if (random.nextInt(5) == 0) {
            schema.put("x-kubernetes-preserve-unknown-fields", true);
        }
        ObjectNode properties = schema.putObject("properties");
        for (int i = random.nextInt(4); i > 0; i--) {
            properties.set(NAMES[random.nextInt(NAMES.length)], value(depth));
        }
        if (random.nextInt(3) == 0) {
            schema.set("default", Json.object());
        }
        return schema;
    }

    /** A value that the schema allows; members with a default may be missing, and unknown ones may be there. */
    JsonNode allowed(JsonNode schema) {
        if (schema.path("nullable").asBoolean(false) && random.nextInt(4) == 0) {
            return Json.nodes().nullNode();
        }
        return switch (schema.path("type").asString("")) {
            case "string" -> Json.nodes().stringNode("s" + random.nextInt(9));
            case "integer" -> Json.nodes().numberNode(random.nextInt(90));
            case "boolean" -> Json.nodes().booleanNode(random.nextBoolean());
            case "array" -> {
                ArrayNode array = Json.array();
                for (int i = random.nextInt(3); i > 0; i--) {
                    array.add(allowed(schema.get("items")));
                }
                yield array;
            }
            case "object" -> allowedObject(schema);
            default ->
                random.nextBoolean() ? Json.nodes().numberNode(5) : Json.nodes().stringNode("5%");
        };
    }

    private ObjectNode allowedObject(JsonNode schema) {
        ObjectNode object = Json.object();
        schema.path("properties").forEachEntry((name, property) -> {
            if (random.nextBoolean()) {
                object.set(name, allowed(property));
            }
        });
        if (schema.has("additionalProperties")) {
            object.set("k" + random.nextInt(3), allowed(schema.get("additionalProperties")));
        } else if (random.nextInt(3) == 0) {
            object.set("unknown", trees.next());
        }
        return object;
    }

    /** Any object at all. */
    ObjectNode any() {
        ObjectNode object = Json.object();
        object.set("spec", trees.next());
        object.set("z", trees.next());
        return object;
    }

    static StructuralSchema structural(ObjectNode schema) {
        return StructuralSchema.of(TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, schema, "", false)
                .tree());
    }
}
