package io.fairlead.index;

import java.util.List;

/**
 * The difference between a cluster's view and its source.
 *
 * @param missing claims of the source that the view does not hold, each as text for people
 * @param surplus claims of the view that the source does not make
 */
public record IndexComparison(List<String> missing, List<String> surplus) {
    public IndexComparison {
        missing = List.copyOf(missing);
        surplus = List.copyOf(surplus);
    }

    /** Whether view and source agree. */
    public boolean isClean() {
        return missing.isEmpty() && surplus.isEmpty();
    }
}
