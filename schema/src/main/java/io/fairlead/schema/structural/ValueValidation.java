package io.fairlead.schema.structural;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.text.Formats;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * Validates values as kube-openapi's validation/validate does, down to the order of checks and their count, since both
 * show: the order in the message, the count in which of several failed alternatives is reported.
 *
 * Two of its liberties are kept because objects rely on them: a string keyword ignores arrays where a format is given,
 * and a number with a zero fraction is an integer.
 *
 * With a correlation, findings about a value that equals the one it replaces are forgiven (KEP-4008).
 */
/** Judges one value by a schema, within a bound of effort. */
final class ValueValidation {
    private final Effort effort;

    private ValueValidation(Effort effort) {
        this.effort = effort;
    }

    /** The verdict on a whole value; {@code old} is what it replaces, if anything. */
    static Findings validate(JsonSchema schema, JsonNode value, @Nullable JsonNode old, Effort effort) {
        try {
            return new ValueValidation(effort)
                    .ratcheted(schema, value, "", old == null ? null : new Correlation(old, schema));
        } catch (Effort.ExceededException tooMuch) {
            Findings findings = new Findings();
            findings.add(new Finding.Unplaced("takes more than " + Effort.STEPS_MAX
                    + " comparisons with its schema (expected shorter lists and texts in the object, or fewer"
                    + " alternatives, properties and enum values and cheaper patterns in the schema)"));
            return findings;
        }
    }

    private Findings ratcheted(JsonSchema schema, JsonNode value, String path, @Nullable Correlation correlation) {
        Findings findings = validate(schema, value, path, correlation);
        if (correlation != null && !findings.isEmpty() && correlation.isUnchanged(value, effort)) {
            findings.forgive();
        }
        return findings;
    }

    private Findings validate(JsonSchema schema, JsonNode value, String path, @Nullable Correlation correlation) {
        effort.spend(1);
        Findings findings = new Findings();
        TypeCheck type = TypeCheck.of(schema);
        if (value.isNull()) {
            findings.merge(type.check(value, path));
            findings.add(enumeration(schema, value, path));
            return findings;
        }
        if (type.applies()) {
            findings.merge(type.check(value, path));
            findings.matched();
        }
        findings.merge(junctors(schema, value, path, correlation));
        findings.matched();
        keywordsOfType(schema, type, value, path, correlation, findings);
        findings.matched();
        return findings;
    }

    private void keywordsOfType(
            JsonSchema schema,
            TypeCheck type,
            JsonNode value,
            String path,
            @Nullable Correlation correlation,
            Findings findings) {
        if (value.isString()) {
            findings.add(StringCheck.check(schema, value, path, effort));
            findings.matched();
            if (Formats.isKnown(type.format())) {
                findings.add(StringCheck.format(type.format(), value, path, effort));
                findings.matched();
            }
        } else if (value.isNumber()) {
            findings.merge(NumberCheck.check(schema, type, value, path));
            findings.matched();
        } else if (value instanceof ArrayNode array) {
            findings.merge(array(schema, array, path, correlation));
            findings.matched();
        }
        findings.add(enumeration(schema, value, path));
        findings.matched();
        if (value instanceof ObjectNode object) {
            findings.merge(object(schema, object, path, correlation));
            findings.matched();
        }
    }

    private @Nullable Finding enumeration(JsonSchema schema, JsonNode value, String path) {
        if (schema.enumeration.isEmpty()) {
            return null;
        }
        effort.spend(schema.enumerationNodes);
        boolean allowed = !value.isNull() && schema.enumeration.stream().anyMatch(one -> isSame(value, one));
        if (allowed) {
            return null;
        }
        effort.spend(schema.enumerationChars / Effort.CHARS_FOR_A_STEP); // The message names them all.
        return new Finding.NotAllowed(path, value, schema.enumeration);
    }

    /** Numbers are compared in the type of the allowed value, as Go's reflection converts them. */
    private static boolean isSame(JsonNode value, JsonNode allowed) {
        if (value.isNumber() && allowed.isNumber()) {
            return allowed.isIntegralNumber()
                    ? NumberCheck.toLong(value) == allowed.longValue()
                    : value.doubleValue() == allowed.doubleValue();
        }
        return value.equals(allowed);
    }

    private Findings array(JsonSchema schema, ArrayNode array, String path, @Nullable Correlation correlation) {
        Findings findings = new Findings();
        if (schema.items != null) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode element = array.get(i);
                Correlation elementCorrelation = correlation == null ? null : correlation.element(element);
                findings.merge(ratcheted(schema.items, element, path + "[" + i + "]", elementCorrelation));
            }
        }
        findings.add(tooFew(schema.number("minItems"), array.size(), "items", path));
        findings.add(tooMany(schema.number("maxItems"), array.size(), "items", path));
        findings.matched();
        return findings;
    }

    private Findings object(JsonSchema schema, ObjectNode object, String path, @Nullable Correlation correlation) {
        effort.spend((long) object.size() + schema.properties.size() + schema.required.size());
        Findings findings = new Findings();
        findings.add(tooFew(schema.number("minProperties"), object.size(), "properties", path));
        findings.add(tooMany(schema.number("maxProperties"), object.size(), "properties", path));
        additionalMembers(schema, object, path, correlation, findings);
        for (Map.Entry<String, JsonSchema> property : schema.properties.entrySet()) {
            String name = property.getKey();
            JsonNode member = object.get(name);
            if (member != null) {
                String memberPath = path.isEmpty() ? name : path + "." + name;
                findings.merge(ratcheted(property.getValue(), member, memberPath, member(correlation, path, name)));
            }
        }
        for (String name : schema.required) {
            if (!object.has(name)) {
                findings.add(new Finding.Missing(path + "." + name));
            }
        }
        return findings;
    }

    private void additionalMembers(
            JsonSchema schema, ObjectNode object, String path, @Nullable Correlation correlation, Findings findings) {
        JsonSchema additional = schema.additionalProperties.schema();
        if (additional == null && schema.additionalProperties.allowed()) {
            return;
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            String name = member.getKey();
            if (schema.properties.containsKey(name)) {
                continue;
            }
            if (additional == null) {
                String message = path + "." + name + " in body is a forbidden property";
                findings.add(new Finding.Invalid(path, Json.nodes().stringNode(name), message));
            } else {
                String memberPath = path + "." + name;
                findings.merge(ratcheted(additional, member.getValue(), memberPath, member(correlation, path, name)));
            }
        }
    }

    /** The type of a root cannot be ratcheted: it is converted before. */
    private static @Nullable Correlation member(@Nullable Correlation correlation, String path, String name) {
        boolean typeMeta = path.isEmpty() && (name.equals("kind") || name.equals("apiVersion"));
        return correlation == null || typeMeta ? null : correlation.member(name);
    }

    private static @Nullable Finding tooFew(@Nullable JsonNode min, long actual, String what, String path) {
        if (min == null || actual >= min.longValue()) {
            return null;
        }
        String message = path + " in body should have at least " + min.longValue() + " " + what;
        return new Finding.Invalid(path, Json.nodes().numberNode(actual), message);
    }

    private static @Nullable Finding tooMany(@Nullable JsonNode max, long actual, String what, String path) {
        return max == null || actual <= max.longValue()
                ? null
                : new Finding.TooMany(path, actual, max.longValue(), what);
    }

    private Findings junctors(JsonSchema schema, JsonNode value, String path, @Nullable Correlation correlation) {
        Findings findings = new Findings();
        if (!schema.anyOf.isEmpty()) {
            anyOf(schema.anyOf, value, path, correlation, findings);
        }
        if (!schema.oneOf.isEmpty()) {
            oneOf(schema.oneOf, value, path, correlation, findings);
        }
        if (!schema.allOf.isEmpty()) {
            allOf(schema.allOf, value, path, correlation, findings);
        }
        if (schema.not != null && validate(schema.not, value, path, correlation).isEmpty()) {
            findings.add(new Finding.Unplaced("\"" + path + "\" must not validate the schema (not)"));
        }
        findings.matched();
        return findings;
    }

    private void anyOf(
            List<JsonSchema> schemas,
            JsonNode value,
            String path,
            @Nullable Correlation correlation,
            Findings findings) {
        Findings best = null;
        for (JsonSchema schema : schemas) {
            Findings result = validate(schema, value, path, correlation);
            if (result.isEmpty()) {
                findings.merge(result);
                return;
            }
            if (best == null || result.matches() > best.matches()) {
                best = result;
            }
        }
        findings.add(new Finding.Unplaced("\"" + path + "\" must validate at least one schema (anyOf)"));
        if (best != null) {
            findings.merge(best);
        }
    }

    private void oneOf(
            List<JsonSchema> schemas,
            JsonNode value,
            String path,
            @Nullable Correlation correlation,
            Findings findings) {
        Findings best = null;
        Findings success = null;
        int valid = 0;
        for (JsonSchema schema : schemas) {
            Findings result = validate(schema, value, path, correlation);
            if (result.isEmpty()) {
                valid++;
                success = success == null ? result : success;
                best = null;
            } else if (valid == 0 && (best == null || result.matches() > best.matches())) {
                best = result;
            }
        }
        if (valid == 1 && success != null) {
            findings.merge(success);
            return;
        }
        String found = valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives";
        findings.add(new Finding.Unplaced("\"" + path + "\" must validate one and only one schema (oneOf). " + found));
        if (best != null) {
            findings.merge(best);
        }
    }

    private void allOf(
            List<JsonSchema> schemas,
            JsonNode value,
            String path,
            @Nullable Correlation correlation,
            Findings findings) {
        int valid = 0;
        for (JsonSchema schema : schemas) {
            Findings result = validate(schema, value, path, correlation);
            valid += result.isEmpty() ? 1 : 0;
            findings.merge(result);
        }
        if (valid != schemas.size()) {
            String none = valid == 0 ? ". None validated" : "";
            findings.add(new Finding.Unplaced("\"" + path + "\" must validate all the schemas (allOf)" + none));
        }
    }
}
