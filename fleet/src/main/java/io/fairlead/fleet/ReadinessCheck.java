package io.fairlead.fleet;

import java.util.Optional;

/** One line of {@code /readyz?verbose}. Never blocks but for {@link #refresh}; any thread. */
public interface ReadinessCheck {
    /** Its name in paths and lines ({@code store}): lower-case letters, digits and dashes. */
    String name();

    /** Finds out anew what takes a while to find out; may block, and is called again and again by one thread. */
    default void refresh() {}

    /** Why it fails, or empty if it is well. */
    Optional<String> failure();

    /** What is worth knowing although it is well, for anybody's eyes. */
    default Optional<String> detail() {
        return Optional.empty();
    }
}
