package io.fairlead.schema.compare;

import io.fairlead.schema.json.JsonKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/*
 * An object fits a structural schema exactly if each of its values fits the schema at its place, so what two schemas mean
 * to each other is the sum of what their nodes do, as long as two things are watched: keywords that look at a value as a
 * whole (CEL rules, allOf and its like) and what happens beside validation (pruning, defaults). The former are compared as
 * texts, and while a rule stays, no type below it may change, since the rule might then be read otherwise. The latter are
 * what most of the cases here are about.
 */
/** Compares two schemas in canonical form, node by node. */
final class SchemaComparison {
    private final Differences found;
    private final ScalarComparison scalars;
    private final ObjectComparison objects;

    private SchemaComparison(Differences found) {
        this.found = found;
        this.scalars = new ScalarComparison(found);
        this.objects = new ObjectComparison(found, scalars, this::compare);
    }

    /** Adds what makes the new schema differ from the old one; a version without a schema has {@code null}. */
    static void compare(JsonNode before, JsonNode after, Differences found) {
        if (before.isNull() || after.isNull()) {
            if (!before.isNull() || !after.isNull()) {
                found.add(Place.ROOT.told(), "schema", before, after, Verdict.UNKNOWN);
            }
            return;
        }
        Differences unknown = new Differences();
        new NotUnderstood(unknown, true).in(before, Place.ROOT);
        new NotUnderstood(unknown, false).in(after, Place.ROOT);
        if (unknown.verdict() == Verdict.EQUAL) {
            new SchemaComparison(found).compare(SchemaNode.of(before), SchemaNode.of(after), Place.ROOT);
            tellWhatWasOverlooked(before, after, found);
        } else {
            found.addAll(unknown);
        }
    }

    /** Equal schemas have equal forms: whatever else no rule here has looked at. */
    private static void tellWhatWasOverlooked(JsonNode before, JsonNode after, Differences found) {
        if (found.verdict() == Verdict.EQUAL && !Values.same(before, after)) {
            found.add(Place.ROOT.told(), "schema", before, after, Verdict.UNKNOWN);
        }
    }

    private void compare(SchemaNode before, SchemaNode after, Place outer) {
        Place place = outer.ruled(Rules.anyStays(before, after));
        SingleCondition moved = SingleCondition.between(before, after);
        if (moved == null) {
            compareHere(before, after, place);
        } else {
            found.add(place.told(), "allOf", before.get("allOf"), after.get("allOf"), Verdict.WIDER);
            compareHere(moved.before(), moved.after(), place);
        }
    }

    private void compareHere(SchemaNode before, SchemaNode after, Place place) {
        if (!scalars.typesAllowMore(before, after, place)) {
            return;
        }
        scalars.compare(before, after, place);
        elements(before, after, place);
        objects.compare(before, after, place);
        junctors(before, after, place);
        Rules.compare(before, after, place, found);
    }

    private void elements(SchemaNode before, SchemaNode after, Place place) {
        SchemaNode old = before.child("items");
        SchemaNode now = after.child("items");
        if (old != null && now != null) {
            compare(old, now, place.element(isKept(before, place.keptBefore()), isKept(after, place.keptAfter())));
        } else if (old != null || now != null) {
            found.add(place.told(), "items", before.get("items"), after.get("items"), Verdict.UNKNOWN);
        }
        scalars.counts(before, after, place, "minItems", "maxItems");
        listType(before, after, place);
        unlessSame(before, after, place, "uniqueItems", Verdict.UNKNOWN);
    }

    /** Lists that keep undeclared members keep those of their elements. */
    private static boolean isKept(SchemaNode schema, boolean isKeptAround) {
        return isKeptAround || schema.is(SchemaNode.PRESERVE);
    }

    /**
     * How server-side apply merges a list follows its type, so that another type is never harmless; a list that becomes a
     * set or map forbids equal elements too.
     */
    private void listType(SchemaNode before, SchemaNode after, Place place) {
        String old = before.text("x-kubernetes-list-type");
        String now = after.text("x-kubernetes-list-type");
        boolean mayRepeat = old.isEmpty() && !now.isEmpty() && mayHaveTwo(before);
        unlessSame(before, after, place, "x-kubernetes-list-type", mayRepeat ? Verdict.INCOMPATIBLE : Verdict.UNKNOWN);
        // Server-side apply names elements by their keys in the order of the keys' names.
        Verdict onKeys = haveSameKeys(before, after) ? Verdict.WIDER : Verdict.UNKNOWN;
        unlessSame(before, after, place, "x-kubernetes-list-map-keys", onKeys);
        unlessSame(before, after, place, "x-kubernetes-map-type", Verdict.UNKNOWN);
    }

    private static boolean haveSameKeys(SchemaNode before, SchemaNode after) {
        List<JsonNode> old = before.list("x-kubernetes-list-map-keys");
        List<JsonNode> now = after.list("x-kubernetes-list-map-keys");
        return old.size() == now.size() && keys(old).equals(keys(now));
    }

    private static Set<JsonKey> keys(List<JsonNode> values) {
        return values.stream().map(JsonKey::new).collect(Collectors.toSet());
    }

    private static boolean mayHaveTwo(SchemaNode list) {
        var max = list.number("maxItems");
        return (max == null || max.intValue() >= 2) && !list.hasJunctors();
    }

    /** Conditions on the value as a whole: removing one is wider, the effect of others is unknown. */
    private void junctors(SchemaNode before, SchemaNode after, Place place) {
        for (String keyword : List.of("allOf", "anyOf", "oneOf", "not")) {
            unlessSame(before, after, place, keyword, after.has(keyword) ? Verdict.UNKNOWN : Verdict.WIDER);
        }
    }

    private void unlessSame(SchemaNode before, SchemaNode after, Place place, String keyword, Verdict verdict) {
        JsonNode old = before.get(keyword);
        JsonNode now = after.get(keyword);
        if (!Values.same(old, now)) {
            found.add(place.told(), keyword, old, now, verdict);
        }
    }
}
