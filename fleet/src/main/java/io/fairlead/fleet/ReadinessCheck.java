package io.fairlead.fleet;

import java.util.Optional;

/** One line of {@code /readyz?verbose}. Never blocks, except {@link #refresh}; any thread. */
public interface ReadinessCheck {
    /** Its name in paths and lines ({@code store}): lower-case letters, digits and dashes. */
    String name();

    /** Updates what takes a while to check; may block, and is called periodically by one thread. */
    default void refresh() {}

    /** Why it fails, or empty if it passes. */
    Optional<String> failure();

    /** A note although it passes, visible to anonymous callers. */
    default Optional<String> detail() {
        return Optional.empty();
    }
}
