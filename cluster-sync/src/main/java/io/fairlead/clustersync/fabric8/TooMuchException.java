package io.fairlead.clustersync.fabric8;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cluster answers with more than may be read of it. */
final class TooMuchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Of a failure; one may lead back to itself. */
    private static final int CAUSES_MAX = 10;

    private final String said;

    /** @param said names the bound, for people */
    TooMuchException(String said) {
        super(said);
        this.said = said;
    }

    String said() {
        return said;
    }

    /** Of a failure or what caused it; null if it is no such thing. */
    static @Nullable TooMuchException in(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .filter(TooMuchException.class::isInstance)
                .map(TooMuchException.class::cast)
                .findFirst()
                .orElse(null);
    }
}
