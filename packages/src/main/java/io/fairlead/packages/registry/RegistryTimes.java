package io.fairlead.packages.registry;

import java.time.Duration;

/**
 * How long a registry may take.
 *
 * @param connectTimeout to be connected to
 * @param answerTimeout to begin an answer
 * @param stallTimeout to send nothing in the midst of one
 * @param totalTimeout for everything that is asked of it for one image
 */
public record RegistryTimes(
        Duration connectTimeout, Duration answerTimeout, Duration stallTimeout, Duration totalTimeout) {
    public static final RegistryTimes DEFAULT = new RegistryTimes(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMinutes(10));
}
