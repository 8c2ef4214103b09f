package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.NamedFiles;

/** Where the configuration was read from, so that it can be read again. */
@FunctionalInterface
public interface ConfigurationSource {
    /**
     * Reads it; blocks.
     *
     * @param files reads the files that it names
     * @throws ConfigurationException if it is invalid
     */
    Configuration read(NamedFiles files) throws ConfigurationException;
}
