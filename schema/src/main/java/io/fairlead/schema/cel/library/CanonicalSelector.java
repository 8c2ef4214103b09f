package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.meta.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A label selector in the one form that all selectors of the same labels have (apimachinery {@code LabelSelectorAsSelector}, {@code
 * labels.NewRequirement}). What the requirements about one label let pass together is one set, and labels do not depend on each
 * other; so two texts are equal if, and only if, the selectors select the same.
 */
final class CanonicalSelector {
    /** Its texts, with one for each entry, element and text. */
    static final int SIZE_MAX = 65_536;

    /** Of the text: a key stands there twice at most, and there are at most eleven characters between texts. */
    static final int TEXT_CHARS_MAX = 4 * SIZE_MAX;

    /** What is made for each of its size: the text, and entries of trees. */
    private static final long MADE = 16;

    /** A selector, its expressions, a requirement, its values, a value. */
    private static final int DEPTH = 5;

    private static final String LABELS = "matchLabels";
    private static final String EXPRESSIONS = "matchExpressions";
    private static final Set<Object> FIELDS = Set.of(LABELS, EXPRESSIONS);
    private static final Set<Object> REQUIREMENT_FIELDS = Set.of("key", "operator", "values");

    private final TreeMap<String, PassingValues> byKey = new TreeMap<>();

    private CanonicalSelector() {}

    /** A part of it is not as it must be. Has no stack trace, since it is not a fault. */
    private static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient CelError error;

        RefusedException(CelError error) {
            super(error.message(), null, false, false);
            this.error = error;
        }
    }

    /** The text of a selector or of a map of labels, or an error that names what is wrong. */
    static Object text(Object selector, Work work) {
        if (!(selector instanceof MapValue map)) {
            return new CelError(
                    "selectorOf: expected a label selector or a map of labels, got " + Values.typeName(selector));
        }
        long size = size(selector);
        work.spend(size);
        if (size > SIZE_MAX) {
            return new CelError("selectorOf: the selector has more than " + SIZE_MAX + " characters");
        }
        work.makeText(MADE * size);
        try {
            CanonicalSelector canonical = new CanonicalSelector();
            if (isLabels(map)) {
                canonical.labels(map, "labels");
            } else {
                canonical.selector(map);
            }
            return canonical.text();
        } catch (RefusedException e) {
            return e.error;
        }
    }

    /** How much there is to read, counted up to a little more than {@link #SIZE_MAX}. */
    static long size(Object selector) {
        return size(selector, DEPTH, 0);
    }

    private static long size(Object value, int depth, long before) {
        long size = before + 1;
        if (depth == 0) {
            return size;
        }
        return switch (value) {
            case String text -> Math.min(size + text.length(), SIZE_MAX + 1);
            case ListValue list -> {
                for (int i = 0; i < list.size() && size <= SIZE_MAX; i++) {
                    size = size(list.get(i), depth - 1, size);
                }
                yield size;
            }
            case MapValue map when map.size() > SIZE_MAX -> SIZE_MAX + 1;
            case MapValue map -> {
                for (Object key : map.keys()) {
                    if (size <= SIZE_MAX) {
                        Object member = map.find(key);
                        size = size(member == null ? Null.VALUE : member, depth - 1, size(key, depth, size));
                    }
                }
                yield size;
            }
            default -> size;
        };
    }

    /** Whether it is no selector: it has other keys, or one of the fields' names is a label, which the text under it tells. */
    private static boolean isLabels(MapValue map) {
        for (Object key : map.keys()) {
            if (!FIELDS.contains(key) || map.find(key) instanceof String) {
                return true;
            }
        }
        return false;
    }

    private void selector(MapValue selector) {
        switch (member(selector, LABELS)) {
            case Null _ -> {}
            case MapValue labels -> labels(labels, LABELS);
            case Object other -> throw unexpected(LABELS, "a map", other);
        }
        switch (member(selector, EXPRESSIONS)) {
            case Null _ -> {}
            case ListValue expressions -> {
                for (int i = 0; i < expressions.size(); i++) {
                    requirement(expressions.get(i), EXPRESSIONS + "[" + i + "]");
                }
            }
            case Object other -> throw unexpected(EXPRESSIONS, "a list", other);
        }
    }

    private void labels(MapValue labels, String path) {
        for (Object name : labels.keys()) {
            String key = text(name, path);
            checkKey(key, path);
            String at = path + "[" + key + "]";
            String value = text(member(labels, key), at);
            checkValue(value, at);
            byKey.computeIfAbsent(key, PassingValues::new).in(List.of(value));
        }
    }

    private void requirement(Object value, String path) {
        if (!(value instanceof MapValue requirement)) {
            throw unexpected(path, "a map", value);
        }
        for (Object field : requirement.keys()) {
            if (!REQUIREMENT_FIELDS.contains(field)) {
                throw refused(path + ": unknown field " + Values.shown(field));
            }
        }
        String key = text(required(requirement, "key", path), path + ".key");
        checkKey(key, path + ".key");
        String operator = text(required(requirement, "operator", path), path + ".operator");
        List<String> values = values(member(requirement, "values"), path + ".values");
        PassingValues passing = byKey.computeIfAbsent(key, PassingValues::new);
        switch (operator) {
            case "In" -> passing.in(some(values, path));
            case "NotIn" -> passing.notIn(some(values, path));
            case "Exists" -> {
                checkNone(values, path);
                passing.exists();
            }
            case "DoesNotExist" -> {
                checkNone(values, path);
                passing.doesNotExist();
            }
            default -> throw invalid(path + ".operator", operator, "not a valid selector operator");
        }
    }

    private static List<String> some(List<String> values, String path) {
        if (values.isEmpty()) {
            throw refused(path + ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'");
        }
        return values;
    }

    private static void checkNone(List<String> values, String path) {
        if (!values.isEmpty()) {
            throw refused(
                    path + ".values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
    }

    private static List<String> values(Object value, String path) {
        return switch (value) {
            case Null _ -> List.of();
            case ListValue list -> {
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < list.size(); i++) {
                    String at = path + "[" + i + "]";
                    String text = text(list.get(i), at);
                    checkValue(text, at);
                    texts.add(text);
                }
                yield texts;
            }
            default -> throw unexpected(path, "a list", value);
        };
    }

    private String text() {
        StringJoiner text = new StringJoiner(",").setEmptyValue("<everything>");
        for (PassingValues passing : byKey.values()) {
            if (passing.isNothing()) {
                return "<nothing>";
            }
            text.add(passing.toString());
        }
        return text.toString();
    }

    /** A member; one that is missing is null, as it is for apimachinery. */
    private static Object member(MapValue map, Object key) {
        Object member = map.find(key);
        return member == null ? Null.VALUE : member;
    }

    private static Object required(MapValue requirement, String field, String path) {
        Object value = member(requirement, field);
        if (value.equals(Null.VALUE) || value.equals("")) {
            throw refused(path + "." + field + ": Required value");
        }
        return value;
    }

    private static String text(Object value, String path) {
        if (value instanceof String text) {
            return text;
        }
        throw unexpected(path, "a string", value);
    }

    private static void checkKey(String key, String path) {
        check(key, Names.qualifiedName(key), path);
    }

    private static void checkValue(String value, String path) {
        check(value, Names.labelValue(value), path);
    }

    private static void check(String text, List<String> problems, String path) {
        if (!problems.isEmpty()) {
            throw invalid(path, text, problems.getFirst());
        }
    }

    private static RefusedException invalid(String path, String value, String problem) {
        return refused(path + ": Invalid value: " + Values.quoted(value) + ": " + problem);
    }

    private static RefusedException unexpected(String path, String expected, Object value) {
        return value instanceof CelError error
                ? new RefusedException(error)
                : refused(path + ": expected " + expected + ", got " + Values.typeName(value));
    }

    private static RefusedException refused(String problem) {
        return new RefusedException(new CelError("selectorOf: " + problem));
    }
}
