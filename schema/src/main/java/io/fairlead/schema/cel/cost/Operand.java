package io.fairlead.schema.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An argument of a call, as its cost depends on it.
 *
 * @param path where its value comes from, empty if it is made
 * @param known its size, if it follows from the expression, its path or its type
 */
record Operand(CelExpr expression, CelType type, List<String> path, Optional<Estimate> known, SizeEstimator sizes) {
    Estimate size() {
        return known.or(() -> sizes.estimate(path)).orElse(Estimate.UNKNOWN);
    }

    /** The type of a list's elements, empty if it is none. */
    Optional<CelType> elementType() {
        return type.parameters().isEmpty()
                ? Optional.empty()
                : Optional.of(type.parameters().getFirst());
    }

    /** The size of a list's elements. */
    Estimate elementSize() {
        if (path.isEmpty()) {
            return Estimate.UNKNOWN;
        }
        List<String> element = new ArrayList<>(path);
        element.add("@items");
        return sizes.estimate(element).orElse(Estimate.UNKNOWN);
    }
}
