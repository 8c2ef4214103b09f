package io.fairlead.clustersync.fabric8;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster's answer exceeds a limit. */
final class TooMuchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Of a failure; causes may be cyclic. */
    private static final int CAUSES_MAX = 10;

    private final String said;

    /** @param said names the limit, for people */
    TooMuchException(String said) {
        super(said);
        this.said = said;
    }

    String said() {
        return said;
    }

    /** Of a failure or its causes; null if there is none. */
    static @Nullable TooMuchException in(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .filter(TooMuchException.class::isInstance)
                .map(TooMuchException.class::cast)
                .findFirst()
                .orElse(null);
    }
}
