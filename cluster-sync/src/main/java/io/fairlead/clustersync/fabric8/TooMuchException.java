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
    private final boolean kept;

    /** @param said names the limit of what is read, for people */
    TooMuchException(String said) {
        this(said, false);
    }

    private TooMuchException(String said, boolean kept) {
        super(said);
        this.said = said;
        this.kept = kept;
    }

    /**
     * For a limit of what is kept, which smaller pages do not help.
     *
     * @param said names the limit, for people
     */
    static TooMuchException toKeep(String said) {
        return new TooMuchException(said, true);
    }

    boolean isToKeep() {
        return kept;
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
