package io.fairlead.schema.cel.cost;

import java.util.Optional;

/**
 * The cost of a call without that of its arguments.
 *
 * @param result the size of what it returns, if that is known
 */
record CallEstimate(Estimate cost, Optional<Estimate> result) {
    static CallEstimate of(Estimate cost) {
        return new CallEstimate(cost, Optional.empty());
    }

    static CallEstimate of(Estimate cost, Estimate result) {
        return new CallEstimate(cost, Optional.of(result));
    }
}
