package io.fairlead.gateway.own;

import java.util.Optional;

/** One line of {@code /readyz?verbose}. Never blocks; any thread. */
public interface ReadinessCheck {
    /** Its name in paths and lines ({@code store}): lower-case letters, digits and dashes. */
    String name();

    /** Why it fails, or empty if it is well. */
    Optional<String> failure();

    /** What is worth knowing although it is well, for anybody's eyes. */
    default Optional<String> detail() {
        return Optional.empty();
    }
}
