package io.fairlead.schema.digest;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Numbers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings schemas ({@code JSONSchemaProps}) into the form in which equal meaning is equal text: members without effect
 * are left out, unordered ones are sorted. What is not understood stays unchanged, and its path is reported.
 */
final class CanonicalSchema {
    /** A text with more that is not understood is beyond help; its paths would be as large as the square of it. */
    static final int TOLD_MAX = 1_000;

    private static final int STEP_LENGTH_MAX = 100;
    private static final int TOLD_DIGITS_MAX = 50;
    private static final Set<String> PROSE_OF_RULES = Set.of("message", "messageExpression", "reason", "fieldPath");
    private static final Set<String> MEANING_OF_RULES = Set.of("rule", "optionalOldSelf");

    private final boolean keepsProse;
    private final List<String> notUnderstood = new ArrayList<>();

    /**
     * A form.
     *
     * @param keepsProse whether it keeps texts for people
     */
    CanonicalSchema(boolean keepsProse) {
        this.keepsProse = keepsProse;
    }

    /** Where something is not understood, in all schemas so far ({@code .properties.spec.x-new}); the first 1000 places. */
    List<String> notUnderstood() {
        return notUnderstood;
    }

    private void tellNotUnderstood(String path) {
        if (notUnderstood.size() < TOLD_MAX) {
            notUnderstood.add(path);
        }
    }

    /** The canonical form of a schema at a path; the schema is not changed. */
    JsonNode of(JsonNode schema, String path) {
        if (!schema.isObject()) {
            tellNotUnderstood(path);
            return schema;
        }
        ObjectNode canonical = Json.object();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            JsonNode value = keyword(keyword.getKey(), keyword.getValue(), step(path, keyword.getKey()));
            if (value != null) {
                canonical.set(keyword.getKey(), value);
            }
        }
        return canonical;
    }

    /** What remains of a keyword, or null if it says nothing. */
    private @Nullable JsonNode keyword(String name, JsonNode value, String path) {
        if (value.isNull()) {
            return null;
        }
        Keyword keyword = Keyword.of(name, value);
        keyword.unkept(value).ifPresent(number -> tellNotUnderstood(path + told(number)));
        return switch (keyword) {
            case PROSE -> keepsProse ? unlessSilent(value) : null;
            case TEXT, FLAG, LEAST_COUNT, SEQUENCE -> unlessSilent(value);
            case LIST_TYPE -> unless("atomic", value);
            case MAP_TYPE -> unless("granular", value);
            case BOUND, GREATEST_COUNT, VALUE -> value;
            case SET -> unlessSilent(sorted(value.values()));
            case SCHEMA -> of(value, path);
            case SCHEMA_OR_FLAG -> value.isBoolean() ? value : of(value, path);
            case SCHEMAS -> unlessSilent(sorted(schemas(value, path)));
            case PROPERTIES -> properties(value, path);
            case RULES -> unlessSilent(sorted(rules(value, path)));
            case UNKNOWN -> unknown(value, path);
        };
    }

    /** What to write instead of a number that no API server keeps; nothing of one that they refuse. */
    private static String told(BigDecimal number) {
        double kept = number.doubleValue();
        return Double.isFinite(kept) && number.precision() <= TOLD_DIGITS_MAX
                ? " (" + Numbers.text(number) + ": API servers keep " + Numbers.text(Numbers.shortest(kept))
                        + ", write that)"
                : "";
    }

    private @Nullable JsonNode properties(JsonNode properties, String path) {
        ObjectNode canonical = Json.object();
        properties
                .properties()
                .forEach(property ->
                        canonical.set(property.getKey(), of(property.getValue(), step(path, property.getKey()))));
        return canonical.isEmpty() ? null : canonical;
    }

    private List<JsonNode> schemas(JsonNode schemas, String path) {
        List<JsonNode> canonical = new ArrayList<>();
        for (JsonNode schema : schemas.values()) {
            canonical.add(of(schema, path + "[" + canonical.size() + "]"));
        }
        return canonical;
    }

    private List<JsonNode> rules(JsonNode rules, String path) {
        List<JsonNode> canonical = new ArrayList<>();
        for (JsonNode rule : rules.values()) {
            String at = path + "[" + canonical.size() + "]";
            canonical.add(rule.isObject() ? rule(rule, at) : unknown(rule, at));
        }
        return canonical;
    }

    private JsonNode rule(JsonNode rule, String path) {
        ObjectNode canonical = Json.object();
        for (Map.Entry<String, JsonNode> field : rule.properties()) {
            String name = field.getKey();
            boolean isProse = PROSE_OF_RULES.contains(name);
            if (!isProse && !MEANING_OF_RULES.contains(name)) {
                tellNotUnderstood(step(path, name));
            }
            if (!OmitEmpty.isEmpty(field.getValue()) && (keepsProse || !isProse)) {
                canonical.set(name, field.getValue());
            }
        }
        return canonical;
    }

    private JsonNode unknown(JsonNode value, String path) {
        tellNotUnderstood(path);
        return value;
    }

    /** The path of a member; what is longer than any name that is in use is cut. */
    private static String step(String path, String name) {
        if (name.length() <= STEP_LENGTH_MAX) {
            return path + "." + name;
        }
        int end = Character.isHighSurrogate(name.charAt(STEP_LENGTH_MAX - 1)) ? STEP_LENGTH_MAX - 1 : STEP_LENGTH_MAX;
        return path + "." + name.substring(0, end) + "…";
    }

    private static @Nullable JsonNode unlessSilent(JsonNode value) {
        return OmitEmpty.isEmpty(value) ? null : value;
    }

    private static @Nullable JsonNode unless(String silent, JsonNode text) {
        return text.stringValue().equals(silent) ? null : unlessSilent(text);
    }

    /** By the canonical texts of the elements. */
    static ArrayNode sorted(Collection<JsonNode> values) {
        ArrayNode sorted = Json.array();
        values.stream().sorted(Comparator.comparing(CanonicalJson::text)).forEach(sorted::add);
        return sorted;
    }
}
