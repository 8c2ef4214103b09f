package io.fairlead.schema.cel.library;

import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random selectors over two labels and four values, in all forms, and which of all label sets they select. */
final class RandomSelectors {
    private static final List<String> KEYS = List.of("a", "example.com/b");
    private static final List<String> NAMED = List.of("", "x", "xy", "Y");
    /** What no requirement names stands for all other values. */
    private static final List<String> VALUES = List.of("absent", "", "x", "xy", "Y", "other");

    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    private final Random random;

    RandomSelectors(Random random) {
        this.random = random;
    }

    ObjectNode next() {
        if (random.nextInt(20) == 0) {
            return plainLabels();
        }
        ObjectNode selector = Json.object();
        if (random.nextInt(4) == 0) {
            selector.set("matchLabels", plainLabels());
        }
        ArrayNode expressions = Json.array();
        for (int i = random.nextInt(5); i > 0; i--) {
            expressions.add(requirement());
        }
        selector.set("matchExpressions", expressions);
        return selector;
    }

    private ObjectNode plainLabels() {
        ObjectNode labels = Json.object();
        for (int i = random.nextInt(3); i > 0; i--) {
            labels.put(any(KEYS), any(NAMED));
        }
        return labels;
    }

    private ObjectNode requirement() {
        String operator = any(OPERATORS);
        ObjectNode requirement = Json.object().put("operator", operator).put("key", any(KEYS));
        if (operator.endsWith("In")) {
            List<String> values = new ArrayList<>(NAMED);
            Collections.shuffle(values, random);
            ArrayNode some = requirement.putArray("values");
            values.subList(0, 1 + random.nextInt(values.size())).forEach(some::add);
            some.add(some.get(0));
        }
        return requirement;
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A bit for each pair of values that the labels may have: whether they are selected. */
    static BitSet selected(ObjectNode selector) {
        BitSet selected = new BitSet();
        for (int i = 0; i < VALUES.size() * VALUES.size(); i++) {
            List<String> values = List.of(VALUES.get(i / VALUES.size()), VALUES.get(i % VALUES.size()));
            selected.set(i, selects(selector, values));
        }
        return selected;
    }

    private static boolean selects(ObjectNode selector, List<String> values) {
        JsonNode labels = selector.has("matchExpressions") ? selector.path("matchLabels") : selector;
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            if (!values.get(KEYS.indexOf(label.getKey()))
                    .equals(label.getValue().stringValue())) {
                return false;
            }
        }
        for (JsonNode requirement : selector.path("matchExpressions").values()) {
            String value = values.get(KEYS.indexOf(requirement.get("key").stringValue()));
            if (!passes(value, requirement)) {
                return false;
            }
        }
        return true;
    }

    private static boolean passes(String value, JsonNode requirement) {
        boolean exists = !value.equals("absent");
        boolean named = false;
        for (JsonNode candidate : requirement.path("values").values()) {
            named |= candidate.stringValue().equals(value);
        }
        return switch (requirement.get("operator").stringValue()) {
            case "In" -> exists && named;
            case "NotIn" -> !exists || !named;
            case "Exists" -> exists;
            default -> !exists;
        };
    }
}
