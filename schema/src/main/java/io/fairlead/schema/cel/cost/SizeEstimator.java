package io.fairlead.schema.cel.cost;

import java.util.List;
import java.util.Optional;

/** The sizes of variables and their parts. */
@FunctionalInterface
public interface SizeEstimator {
    /**
     * The size of a part of a variable, empty if nothing is known.
     *
     * @param path the variable, then fields, {@code @items}, {@code @values} or {@code @keys}
     */
    Optional<Estimate> estimate(List<String> path);
}
