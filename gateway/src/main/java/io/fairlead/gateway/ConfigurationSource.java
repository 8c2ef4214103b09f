package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.NamedFiles;

/** From where the configuration was read, so that it can be read again. */
@FunctionalInterface
public interface ConfigurationSource {
    /**
     * Reads it; blocks.
     *
     * @param files looks into the files that it names
     * @throws ConfigurationException if anything is wrong with it
     */
    Configuration read(NamedFiles files) throws ConfigurationException;
}
