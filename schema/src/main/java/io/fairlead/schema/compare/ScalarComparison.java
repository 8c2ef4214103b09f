package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import io.fairlead.schema.json.Numbers;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The part of a comparison that is about values without parts: type, null, default, enum, format, pattern and bounds. */
final class ScalarComparison {
    private static final int WITNESSES_MAX = 2_000;
    private static final String TYPE = "type";

    /** The one known format that accepts every text, and is not a type of its own for rules. */
    private static final String ANY_TEXT = "password";

    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

    private final Differences found;
    private int witnesses;

    ScalarComparison(Differences found) {
        this.found = found;
    }

    /** Reports how the types differ; returns whether to continue: the schema of one has all types of the other's. */
    boolean typesAllowMore(SchemaNode before, SchemaNode after, Place place) {
        Set<ValueType> old = ValueType.of(before);
        Set<ValueType> now = ValueType.of(after);
        if (old.equals(now)) {
            tellType(before, after, place, Verdict.UNKNOWN);
            return true;
        }
        if (now.containsAll(old)) {
            // A rule may be compiled otherwise for another type, and a format be enforced that was not.
            boolean isClear = !place.isRuled() && !after.has("format");
            tellType(before, after, place, isClear ? Verdict.WIDER : Verdict.UNKNOWN);
            return true;
        }
        Verdict less = old.containsAll(now) ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
        boolean isEndless = !ValueType.areScalar(old) && !before.has("enum");
        boolean isShown = isEndless || isShown(before, after, Set.of());
        tellType(before, after, place, isShown ? less : Verdict.UNKNOWN);
        return less == Verdict.NARROWER;
    }

    private void tellType(SchemaNode before, SchemaNode after, Place place, Verdict verdict) {
        for (String keyword : List.of(TYPE, INT_OR_STRING)) {
            if (!Values.same(before.get(keyword), after.get(keyword))) {
                found.add(place.told(), keyword, before.get(keyword), after.get(keyword), verdict);
            }
        }
    }

    void compare(SchemaNode before, SchemaNode after, Place place) {
        nullable(before, after, place);
        defaultValue(before, after, place);
        enumeration(before, after, place);
        format(before, after, place);
        pattern(before, after, place);
        counts(before, after, place, "minLength", "maxLength");
        bounds(before, after, place);
    }

    /** A null that is not allowed is dropped, unless a default takes its place. */
    private void nullable(SchemaNode before, SchemaNode after, Place place) {
        if (before.is("nullable") == after.is("nullable")) {
            return;
        }
        Verdict verdict;
        if (place.isRoot()) {
            verdict = Verdict.UNKNOWN;
        } else if (after.is("nullable")) {
            verdict = before.has("default") ? Verdict.INCOMPATIBLE : Verdict.WIDER;
        } else {
            // Where there is an enum null is never allowed; of the elements of a list without a type it always is.
            boolean isTyped = ValueType.of(before).size() < ValueType.values().length;
            boolean isShown = !before.has("enum") && !before.hasJunctors() && isTyped;
            verdict = isShown ? Verdict.NARROWER : Verdict.UNKNOWN;
        }
        found.add(place.told(), "nullable", before.get("nullable"), after.get("nullable"), verdict);
    }

    /** What is filled in is read: another default is another object, except where the value is always given. */
    private void defaultValue(SchemaNode before, SchemaNode after, Place place) {
        JsonNode old = before.get("default");
        JsonNode now = after.get("default");
        if (Values.same(old, now)) {
            return;
        }
        Verdict verdict;
        if (place.role() != Place.Role.MEMBER) {
            verdict = Verdict.UNKNOWN;
        } else if (place.givenBefore() && old == null) {
            verdict = before.is("nullable") == after.is("nullable") ? Verdict.WIDER : Verdict.UNKNOWN;
        } else {
            verdict = place.givenAfter() && now == null ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
        }
        found.add(place.told(), "default", old, now, verdict);
    }

    private void enumeration(SchemaNode before, SchemaNode after, Place place) {
        if (Values.same(before.get("enum"), after.get("enum"))) {
            return;
        }
        List<JsonNode> gone = without(before.list("enum"), after.list("enum"));
        List<JsonNode> added = without(after.list("enum"), before.list("enum"));
        Verdict verdict;
        if (!after.has("enum") || (before.has("enum") && gone.isEmpty())) {
            verdict = Verdict.WIDER;
        } else {
            Verdict less = added.isEmpty() || !before.has("enum") ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
            verdict = isShown(before, after, Set.of("enum")) ? less : Verdict.UNKNOWN;
        }
        boolean isPart = before.has("enum") && after.has("enum");
        found.add(
                place.told(),
                "enum",
                isPart ? list(gone) : before.get("enum"),
                isPart ? list(added) : after.get("enum"),
                verdict);
    }

    private static List<JsonNode> without(List<JsonNode> values, List<JsonNode> others) {
        Set<JsonKey> left = new HashSet<>();
        others.forEach(value -> left.add(Values.key(value)));
        return values.stream()
                .filter(value -> !left.contains(Values.key(value)))
                .toList();
    }

    private static @Nullable JsonNode list(List<JsonNode> values) {
        ArrayNode list = Json.array().addAll(values);
        return list.isEmpty() ? null : list;
    }

    private void format(SchemaNode before, SchemaNode after, Place place) {
        String old = before.text("format");
        String now = after.text("format");
        if (old.equals(now)) {
            return;
        }
        Verdict verdict;
        if (after.text(TYPE).equals(before.text(TYPE)) && takesAllOf(after.text(TYPE), now, old)) {
            verdict = Verdict.WIDER;
        } else if (now.equals(ANY_TEXT) && after.text(TYPE).equals("string")) {
            verdict = place.isRuled() && !old.isEmpty() ? Verdict.UNKNOWN : Verdict.WIDER;
        } else if (now.isEmpty()) {
            // Rules know some formats as types of their own.
            verdict = place.isRuled() ? Verdict.UNKNOWN : Verdict.WIDER;
        } else {
            boolean isLess = takesAllOf(after.text(TYPE), old, now) || old.isEmpty();
            Verdict less = isLess ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
            verdict = isShown(before, after, Set.of("format")) ? less : Verdict.UNKNOWN;
        }
        found.add(place.told(), "format", before.get("format"), after.get("format"), verdict);
    }

    /** The formats of numbers are ranges; int64 and double are those of every integer and number. */
    private static boolean takesAllOf(String type, String wide, String narrow) {
        return switch (type) {
            case "integer" ->
                (wide.isEmpty() || wide.equals("int64"))
                        && Set.of("", "int32", "int64").contains(narrow);
            case "number" ->
                (wide.isEmpty() || wide.equals("double"))
                        && Set.of("", "float", "double").contains(narrow);
            default -> false;
        };
    }

    private void pattern(SchemaNode before, SchemaNode after, Place place) {
        if (before.text("pattern").equals(after.text("pattern"))) {
            return;
        }
        Verdict verdict = Verdict.UNKNOWN;
        if (!after.has("pattern") || !ValueType.isConcerned(before, "pattern")) {
            verdict = Verdict.WIDER;
        } else if (before.has("pattern")) {
            verdict = changedPattern(before, after);
        } else if (isShown(before, after, Set.of("pattern"))) {
            verdict = Verdict.NARROWER;
        }
        found.add(place.told(), "pattern", before.get("pattern"), after.get("pattern"), verdict);
    }

    private Verdict changedPattern(SchemaNode before, SchemaNode after) {
        SearchedPattern old = new SearchedPattern(before.text("pattern"));
        SearchedPattern now = new SearchedPattern(after.text("pattern"));
        if (now.findsAllOf(old)) {
            return Verdict.WIDER;
        }
        return old.findsAllOf(now) && isShown(before, after, Set.of("pattern")) ? Verdict.NARROWER : Verdict.UNKNOWN;
    }

    /** Bounds of a length or size, which are integers and not negative. */
    void counts(SchemaNode before, SchemaNode after, Place place, String least, String most) {
        bound(before, after, place, new Bound(least, "", true));
        bound(before, after, place, new Bound(most, "", false));
    }

    private void bounds(SchemaNode before, SchemaNode after, Place place) {
        bound(before, after, place, new Bound("minimum", "exclusiveMinimum", true));
        bound(before, after, place, new Bound("maximum", "exclusiveMaximum", false));
        multipleOf(before, after, place);
    }

    private void bound(SchemaNode before, SchemaNode after, Place place, Bound bound) {
        boolean isSame = bound.isSame(before, after);
        boolean isSameFlag = bound.flag().isEmpty() || before.is(bound.flag()) == after.is(bound.flag());
        if (isSame && isSameFlag) {
            return;
        }
        Verdict verdict;
        if (!ValueType.isConcerned(before, bound.keyword())) {
            verdict = Verdict.WIDER;
        } else if (!Bound.isSensible(before) || !Bound.isSensible(after)) {
            verdict = Verdict.UNKNOWN;
        } else if (bound.isWider(before, after)) {
            verdict = Verdict.WIDER;
        } else {
            boolean isSize = Sizes.BOUNDED_BY.contains(bound.keyword());
            boolean isLess = isSize
                    ? !place.isRoot() && Sizes.tell(before, after, bound)
                    : isShown(before, after, bound.keywords());
            verdict = isLess ? Verdict.NARROWER : Verdict.UNKNOWN;
        }
        String rule = isSame ? bound.flag() : bound.keyword();
        found.add(place.told(), rule, before.get(rule), after.get(rule), verdict);
    }

    private void multipleOf(SchemaNode before, SchemaNode after, Place place) {
        String keyword = "multipleOf";
        if (Values.same(before.get(keyword), after.get(keyword))) {
            return;
        }
        BigDecimal old = before.number(keyword);
        BigDecimal now = after.number(keyword);
        Verdict verdict = Verdict.UNKNOWN;
        if (!ValueType.isConcerned(before, keyword)) {
            verdict = Verdict.WIDER;
        } else if (Bound.isSensible(before) && Bound.isSensible(after)) {
            if (now == null || (old != null && isMultiple(old, now))) {
                verdict = Verdict.WIDER;
            } else if (isShown(before, after, Set.of(keyword))) {
                verdict = old == null || isMultiple(now, old) ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
            }
        }
        found.add(place.told(), keyword, before.get(keyword), after.get(keyword), verdict);
    }

    /** Of integers only: fractions are compared with a tolerance that hides small factors. */
    private static boolean isMultiple(BigDecimal number, BigDecimal factor) {
        return Numbers.isInt64(number)
                && Numbers.isInt64(factor)
                && factor.signum() > 0
                && number.longValue() % factor.longValue() == 0;
    }

    /** Whether a value shows that the new schema's keywords refuse something; too many such questions have no answer. */
    private boolean isShown(SchemaNode before, SchemaNode after, Set<String> keywords) {
        witnesses++;
        return witnesses <= WITNESSES_MAX && Witness.exists(before, after, keywords);
    }
}
