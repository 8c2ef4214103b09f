package io.fairlead.fleet.exclusive;

import io.fairlead.index.conflicts.KeyHash;
import java.util.Optional;

/**
 * A key of a rule that denies.
 *
 * @param rule its uid
 */
record ReservedKey(String rule, KeyHash key) {
    /** The name of its reservation. */
    String name() {
        return key + "." + rule;
    }

    /** That of a name; empty if it is none. */
    static Optional<ReservedKey> of(String name) {
        int dot = name.indexOf('.');
        try {
            return dot < 0
                    ? Optional.empty()
                    : Optional.of(new ReservedKey(name.substring(dot + 1), KeyHash.parse(name.substring(0, dot))));
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }
}
