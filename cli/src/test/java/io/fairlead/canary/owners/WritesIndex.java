package io.fairlead.canary.owners;

import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import java.util.function.UnaryOperator;

/** Changes what the index shares, by a method reference: the rule must name it. */
final class WritesIndex {
    private WritesIndex() {}

    static UnaryOperator<Holder> writer(FleetIndex index) {
        return index::shared;
    }
}
