package io.fairlead.hosted.meta;

import io.fairlead.model.StatusException;
import io.fairlead.schema.meta.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A {@code labelSelector}: requirements that must all hold (apimachinery {@code labels/selector.go}). */
public final class LabelSelector {
    /** Matches everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /**
     * Reads a selector.
     *
     * @throws io.fairlead.model.StatusException 400 if it cannot be read
     */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelSelector(new Parser(text).requirements());
    }

    /**
     * The text of a {@code metav1.LabelSelector}, or of a map of labels, ordered by key (apimachinery {@code
     * LabelSelectorAsSelector}); unknown operators say nothing.
     */
    public static String text(JsonNode selector) {
        boolean isSelector = selector.path("matchLabels").isObject()
                || selector.path("matchExpressions").isArray();
        TreeMap<String, StringBuilder> requirements = new TreeMap<>();
        (isSelector ? selector.path("matchLabels") : selector)
                .forEachEntry((key, value) ->
                        requirements.put(key, new StringBuilder(key).append('=').append(value.asString(""))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asString("");
            String values =
                    Meta.strings(expression.path("values")).stream().sorted().collect(Collectors.joining(","));
            String requirement = switch (expression.path("operator").asString("")) {
                case "In" -> key + " in (" + values + ")";
                case "NotIn" -> key + " notin (" + values + ")";
                case "Exists" -> key;
                case "DoesNotExist" -> "!" + key;
                default -> "";
            };
            StringBuilder before = requirements.get(key);
            if (before == null) {
                requirements.put(key, new StringBuilder(requirement));
            } else {
                before.append(',').append(requirement);
            }
        }
        return String.join(",", requirements.values());
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    public boolean matches(ObjectNode object) {
        if (requirements.isEmpty()) {
            return true;
        }
        Map<String, String> labels = Meta.labels(object);
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    private enum Operator {
        EXISTS,
        DOES_NOT_EXIST,
        IN,
        NOT_IN,
        GREATER_THAN,
        LESS_THAN
    }

    /**
     * What a label has to be. Watches keep these for hours, so that what clients choose of them is kept once and small.
     *
     * @param values in their order
     */
    private record Requirement(String key, Operator operator, List<String> values) {
        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case IN -> value != null && isAmong(value);
                case NOT_IN -> value == null || !isAmong(value);
                case GREATER_THAN -> value != null && compare(value) > 0;
                case LESS_THAN -> value != null && compare(value) < 0;
            };
        }

        private boolean isAmong(String value) {
            return Collections.binarySearch(values, value) >= 0;
        }

        /** 0, which matches neither comparison, if the label is not a number. */
        private int compare(String value) {
            try {
                return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    /** Reads the grammar {@code [!]KEY [OP VALUES] {, …}}. */
    private static final class Parser {
        private static final String SPECIAL = "=!(),<>";

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Requirement> requirements() {
            List<Requirement> read = new ArrayList<>();
            do {
                read.add(requirement());
            } while (take(","));
            if (at < text.length()) {
                throw refuse("found '" + text.substring(at) + "', expected: ',' or 'end of string'");
            }
            return read;
        }

        private Requirement requirement() {
            if (take("!")) {
                return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
            }
            String key = key();
            skipSpace();
            if (at == text.length() || text.charAt(at) == ',') {
                return new Requirement(key, Operator.EXISTS, List.of());
            }
            if (take("==") || take("=")) {
                return new Requirement(key, Operator.IN, List.of(value(word())));
            }
            if (take("!=")) {
                return new Requirement(key, Operator.NOT_IN, List.of(value(word())));
            }
            if (take(">")) {
                return new Requirement(key, Operator.GREATER_THAN, List.of(number(key, word())));
            }
            if (take("<")) {
                return new Requirement(key, Operator.LESS_THAN, List.of(number(key, word())));
            }
            String operator = word();
            return switch (operator) {
                case "in" -> new Requirement(key, Operator.IN, values());
                case "notin" -> new Requirement(key, Operator.NOT_IN, values());
                default -> throw refuse("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
            };
        }

        private List<String> values() {
            if (!take("(")) {
                throw refuse("found '" + text.substring(at) + "', expected: '('");
            }
            skipSpace();
            if (at == text.length()) {
                throw refuse("found '', expected: ',', ')' or identifier");
            }
            Set<String> values = new TreeSet<>();
            do {
                values.add(value(word()));
            } while (take(","));
            if (!take(")")) {
                throw refuse("found '" + text.substring(at) + "', expected: ',' or ')'");
            }
            return List.copyOf(values);
        }

        private String key() {
            String key = word();
            List<String> problems = Names.qualifiedName(key);
            if (!problems.isEmpty()) {
                throw refuse("<nil>: Invalid value: \"" + key + "\": " + String.join("; ", problems));
            }
            return key;
        }

        private String value(String value) {
            List<String> problems = Names.labelValue(value);
            if (!problems.isEmpty()) {
                throw refuse("values: Invalid value: \"" + value + "\": " + String.join("; ", problems));
            }
            return value;
        }

        /** An integer without a sign: it must be a label's value, too. */
        private String number(String key, String value) {
            try {
                Long.parseLong(value);
            } catch (NumberFormatException e) {
                throw refuse("values[0]: Invalid value: \"" + value
                        + "\": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            List<String> problems = Names.labelValue(value);
            if (!problems.isEmpty()) {
                throw refuse(
                        "values[0][" + key + "]: Invalid value: \"" + value + "\": " + String.join("; ", problems));
            }
            return value;
        }

        private String word() {
            skipSpace();
            int from = at;
            while (at < text.length()
                    && SPECIAL.indexOf(text.charAt(at)) < 0
                    && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private boolean take(String token) {
            skipSpace();
            boolean there = text.startsWith(token, at);
            at += there ? token.length() : 0;
            return there;
        }

        private void skipSpace() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private StatusException refuse(String problem) {
            return Refusals.badRequest("unable to parse requirement: " + problem);
        }
    }
}
