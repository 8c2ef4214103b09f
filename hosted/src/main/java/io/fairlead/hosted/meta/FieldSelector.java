package io.fairlead.hosted.meta;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A {@code fieldSelector}: terms that must all hold (apimachinery {@code fields/selector.go}). */
public final class FieldSelector {
    /** Matches everything. */
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private static final String OR = " ";
    private static final String ANY_ITEM = "/*";
    /** Terms of no field and no value, which say nothing. */
    private static final Set<String> EMPTY = Set.of("=", "==", "!=");

    private static final Map<String, String> ALWAYS =
            Map.of("metadata.name", "/metadata/name", "metadata.namespace", "/metadata/namespace");

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = List.copyOf(terms);
    }

    /**
     * Reads a selector.
     *
     * @param selectable the kind's own fields and their JSON pointers; of several with spaces between them the first that leads
     *     to a value, and a text that is no pointer is one; a pointer with {@code *} in place of an index leads to what all items
     *     of a list have there, of which any may match
     * @param notSelectable what is said of a field that is not selectable
     * @throws io.fairlead.model.StatusException 400 if it cannot be read or names a field that is not selectable
     */
    public static FieldSelector parse(
            String text, Map<String, String> selectable, UnaryOperator<String> notSelectable) {
        List<Term> terms = new ArrayList<>();
        for (String term : split(text)) {
            if (!term.isEmpty() && !EMPTY.contains(term)) {
                terms.add(term(text, term, selectable, notSelectable));
            }
        }
        return new FieldSelector(terms);
    }

    /** Refuses a text that is no selector, whatever the fields in it are. */
    public static void requireReadable(String text) {
        for (String term : split(text)) {
            if (!term.isEmpty() && !EMPTY.contains(term)) {
                value(text, term, requireOperator(text, term));
            }
        }
    }

    /** This selector, with a required value for a further field. */
    public FieldSelector andName(String name) {
        List<Term> more = new ArrayList<>(terms);
        more.add(new Term(List.of("/metadata/name"), name, true));
        return new FieldSelector(more);
    }

    public boolean isEverything() {
        return terms.isEmpty();
    }

    /** The only name that can match, or null if several may. */
    public @Nullable String name() {
        return terms.stream()
                .filter(term -> term.equal && term.pointers.equals(List.of("/metadata/name")))
                .map(Term::value)
                .findFirst()
                .orElse(null);
    }

    /** Whether the namespace of objects is in it. */
    public boolean namesNamespace() {
        return terms.stream().anyMatch(term -> term.pointers.equals(List.of("/metadata/namespace")));
    }

    public boolean matches(ObjectNode object) {
        return terms.stream().allMatch(term -> term.matches(object));
    }

    private static Term term(
            String selector, String text, Map<String, String> selectable, UnaryOperator<String> notSelectable) {
        int operator = requireOperator(selector, text);
        String field = text.substring(0, operator);
        boolean equal = text.charAt(operator) == '=';
        String pointer = ALWAYS.getOrDefault(field, selectable.get(field));
        if (pointer == null) {
            throw Refusals.badRequest(notSelectable.apply(field));
        }
        return new Term(List.of(pointer.split(OR, -1)), value(selector, text, operator), equal);
    }

    private static int requireOperator(String selector, String text) {
        int operator = operator(text);
        if (operator < 0) {
            throw Refusals.badRequest("invalid selector: '" + selector + "'; can't understand '" + text + "'");
        }
        return operator;
    }

    private static String value(String selector, String text, int operator) {
        boolean isLong = text.startsWith("==", operator) || text.charAt(operator) != '=';
        return unescaped(selector, text.substring(operator + (isLong ? 2 : 1)));
    }

    /** The index of the first {@code =}, {@code ==} or {@code !=}; -1 if none. */
    private static int operator(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == '=' || text.startsWith("!=", i)) {
                return i;
            }
        }
        return -1;
    }

    /** The parts between commas that are not escaped. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ',') {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static String unescaped(String selector, String value) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                i++;
                if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    throw Refusals.badRequest(
                            "invalid selector: '" + selector + "'; invalid escape in '" + value + "'");
                }
                plain.append(value.charAt(i));
            } else if (c == '=') {
                throw Refusals.badRequest("invalid selector: '" + selector + "'; unescaped '=' in '" + value + "'");
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private record Term(List<String> pointers, String value, boolean equal) {
        boolean matches(ObjectNode object) {
            int any = pointers.getFirst().indexOf(ANY_ITEM);
            return (any < 0 ? value(object).equals(value) : hasItem(object, any)) == equal;
        }

        private boolean hasItem(ObjectNode object, int any) {
            String list = pointers.getFirst().substring(0, any);
            String member = pointers.getFirst().substring(any + ANY_ITEM.length());
            JsonNode items = object.at(list);
            return items.isEmpty()
                    ? value.isEmpty()
                    : items.valueStream()
                            .anyMatch(item -> item.at(member).asString("").equals(value));
        }

        /** The first of the values at its pointers that is not empty; a text that is no pointer is a value. */
        private String value(ObjectNode object) {
            for (String pointer : pointers) {
                String found = pointer.startsWith("/") ? object.at(pointer).asString("") : pointer;
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return "";
        }
    }
}
