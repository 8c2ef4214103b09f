package io.fairlead.schema.compare;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One node of a schema in canonical form of which everything is understood. */
record SchemaNode(ObjectNode tree) {
    static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
    static final String EMBEDDED = "x-kubernetes-embedded-resource";
    static final String RULES = "x-kubernetes-validations";

    /** What is known of members without a property of their own. */
    enum Others {
        /** They are dropped. */
        PRUNED,
        /** They are kept as they are. */
        KEPT,
        /** They have a schema. */
        MATCHED,
        /** {@code additionalProperties} is a boolean, which is odd: one level is kept, or an object with any is refused. */
        ODD
    }

    static SchemaNode of(JsonNode tree) {
        return new SchemaNode((ObjectNode) tree);
    }

    @Nullable
    JsonNode get(String keyword) {
        return tree.get(keyword);
    }

    boolean has(String keyword) {
        return tree.has(keyword);
    }

    boolean is(String flag) {
        return tree.path(flag).asBoolean(false);
    }

    String text(String keyword) {
        return tree.path(keyword).asString("");
    }

    @Nullable
    BigDecimal number(String keyword) {
        JsonNode number = tree.get(keyword);
        return number == null ? null : number.decimalValue();
    }

    Map<String, JsonNode> properties() {
        return tree.path("properties") instanceof ObjectNode properties ? members(properties) : Map.of();
    }

    private static Map<String, JsonNode> members(ObjectNode object) {
        Map<String, JsonNode> members = new TreeMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    @Nullable
    SchemaNode property(String name) {
        JsonNode property = tree.path("properties").get(name);
        return property == null ? null : of(property);
    }

    @Nullable
    SchemaNode child(String keyword) {
        return tree.get(keyword) instanceof ObjectNode schema ? new SchemaNode(schema) : null;
    }

    Set<String> required() {
        Set<String> required = new HashSet<>();
        tree.path("required").values().forEach(name -> required.add(name.asString("")));
        return required;
    }

    List<JsonNode> list(String keyword) {
        return List.copyOf(tree.path(keyword).values());
    }

    /** What becomes of undeclared members; {@code kept}: the list around it keeps them. */
    Others others(boolean kept) {
        JsonNode additional = tree.get("additionalProperties");
        if (additional == null) {
            return kept || is(PRESERVE) ? Others.KEPT : Others.PRUNED;
        }
        return additional.isObject() ? Others.MATCHED : Others.ODD;
    }

    /** Whether members named like this are never dropped: the meta fields of resources. */
    boolean isMeta(String name, Place place) {
        boolean isResource = place.isRoot() || is(EMBEDDED);
        return isResource && (name.equals("apiVersion") || name.equals("kind") || name.equals("metadata"));
    }

    /** Whether every valid object has this member as it was written: it is required, and nothing fills it in. */
    boolean isAlwaysGiven(String name) {
        SchemaNode property = property(name);
        return required().contains(name) && (property == null || !property.has("default"));
    }

    boolean hasJunctors() {
        return has("allOf") || has("anyOf") || has("oneOf") || has("not");
    }

    /** Whether reading a value of this schema may fill something in. */
    boolean hasDefaults() {
        if (has("default")) {
            return true;
        }
        SchemaNode items = child("items");
        SchemaNode additional = child("additionalProperties");
        return (items != null && items.hasDefaults())
                || (additional != null && additional.hasDefaults())
                || properties().values().stream()
                        .anyMatch(property -> of(property).hasDefaults());
    }

    /** Whether it takes any value but null and keeps all of it. */
    boolean takesEverything() {
        return is(PRESERVE) && (tree.size() == 1 || (tree.size() == 2 && is("nullable")));
    }
}
