package io.fairlead.schema.compare;

import io.fairlead.schema.json.Numbers;
import java.math.BigDecimal;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A keyword that bounds numbers or sizes on one side.
 *
 * @param keyword the keyword
 * @param flag the keyword that takes the bound itself out, empty if there is none
 * @param isLeast whether what is smaller is refused, else what is greater
 */
record Bound(String keyword, String flag, boolean isLeast) {
    private static final BigDecimal INT_MIN = BigDecimal.valueOf(Integer.MIN_VALUE);
    private static final BigDecimal INT_MAX = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final BigDecimal FLOAT_MAX = new BigDecimal(Float.MAX_VALUE);

    boolean isSame(SchemaNode before, SchemaNode after) {
        return Values.same(before.get(keyword), after.get(keyword));
    }

    /** What the bound of a schema depends on. */
    Set<String> keywords() {
        return flag.isEmpty() ? Set.of(keyword) : Set.of(keyword, flag);
    }

    /** Whether all that fits the old bound fits the new one. */
    boolean isWider(SchemaNode before, SchemaNode after) {
        BigDecimal old = before.number(keyword);
        BigDecimal now = after.number(keyword);
        if (now == null) {
            return true;
        }
        if (old == null) {
            return false;
        }
        int order = isLeast ? old.compareTo(now) : now.compareTo(old);
        boolean isOpened = before.is(flag) || !after.is(flag);
        // Of a bound for integers the fraction is cut off, so that excluding a lower one may still refuse more.
        return isOpened ? order >= 0 : order > 0 && Numbers.isInt64(old) && Numbers.isInt64(now);
    }

    /**
     * Whether all bounds of a schema could be values of its type and format; where one could not, kube-openapi refuses
     * every number.
     */
    static boolean isSensible(SchemaNode schema) {
        boolean isInteger = schema.text("type").equals("integer");
        for (String keyword : Set.of("minimum", "maximum", "multipleOf")) {
            JsonNode node = schema.get(keyword);
            BigDecimal bound = node == null ? BigDecimal.ONE : node.decimalValue();
            boolean fits = switch (schema.text("format")) {
                case "int32" -> !isInteger || (bound.compareTo(INT_MIN) >= 0 && bound.compareTo(INT_MAX) <= 0);
                case "float" -> isInteger || bound.abs().compareTo(FLOAT_MAX) <= 0;
                default -> !Double.isInfinite(bound.doubleValue());
            };
            boolean isPositive = !keyword.equals("multipleOf") || bound.doubleValue() > 0;
            if (!fits || !isPositive || (isInteger && !isExact(bound))) {
                return false;
            }
        }
        return true;
    }

    /** Bounds are doubles: an integer beyond 53 bits may be another one when it is applied. */
    private static boolean isExact(BigDecimal bound) {
        return Numbers.isInt64(bound) && new BigDecimal(bound.doubleValue()).compareTo(bound) == 0;
    }
}
