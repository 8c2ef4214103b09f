package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;

/** From where the configuration was read, so that it can be read again. */
@FunctionalInterface
public interface ConfigurationSource {
    /**
     * Reads it; blocks.
     *
     * @throws ConfigurationException if anything is wrong with it
     */
    Configuration read() throws ConfigurationException;
}
