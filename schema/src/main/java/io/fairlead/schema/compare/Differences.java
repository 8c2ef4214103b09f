package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Numbers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The differences found so far, at most {@link #TOLD_MAX} of them, and the verdict on all. */
final class Differences {
    static final int TOLD_MAX = 1_000;

    private final List<Difference> told = new ArrayList<>();
    private Verdict verdict = Verdict.EQUAL;
    private int count;

    void add(String path, String rule, @Nullable JsonNode before, @Nullable JsonNode after, Verdict verdict) {
        this.verdict = this.verdict.and(verdict);
        count++;
        if (told.size() < TOLD_MAX) {
            told.add(new Difference(path, rule, readable(before), readable(after), verdict));
        }
    }

    /** What is not understood may mean anything, whatever else is known. */
    void addNotUnderstood(String path, String rule, @Nullable JsonNode before, @Nullable JsonNode after) {
        add(path, rule, before, after, Verdict.UNKNOWN);
        verdict = Verdict.UNKNOWN;
    }

    /** Takes over another account, in which what is not understood has the last word. */
    void addAll(Differences others) {
        others.told.forEach(each -> add(each.path(), each.rule(), each.before(), each.after(), each.verdict()));
        count += others.untold();
        verdict = others.verdict == Verdict.UNKNOWN ? Verdict.UNKNOWN : verdict.and(others.verdict);
    }

    Verdict verdict() {
        return verdict;
    }

    List<Difference> told() {
        return List.copyOf(told);
    }

    int untold() {
        return count - told.size();
    }

    /** A copy in which numbers look as people write them, where nothing is lost. */
    private static @Nullable JsonNode readable(@Nullable JsonNode value) {
        return switch (value) {
            case null -> null;
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                for (Map.Entry<String, JsonNode> member : object.properties()) {
                    copy.set(member.getKey(), readable(member.getValue()));
                }
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(readable(element)));
                yield copy;
            }
            default -> value.isNumber() ? readable(value, value.decimalValue()) : value;
        };
    }

    private static JsonNode readable(JsonNode number, BigDecimal exact) {
        if (Numbers.isInt64(exact)) {
            return Json.nodes().numberNode(exact.longValue());
        }
        double rounded = exact.doubleValue();
        boolean isSame =
                !Double.isInfinite(rounded) && BigDecimal.valueOf(rounded).compareTo(exact) == 0;
        return isSame ? Json.nodes().numberNode(rounded) : number;
    }
}
