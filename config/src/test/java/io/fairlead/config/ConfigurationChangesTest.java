package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationChangesTest {
    @Test
    void equalConfigurations_differByNothing() throws Exception {
        assertThat(ConfigurationChanges.between(read(Map.of()), read(Map.of()))).isEmpty();
    }

    @Test
    void changedKeys_areNamedByTheirPaths_inTheOrderOfTheReference() throws Exception {
        Configuration after = read(Map.of(
                "limits.shortCallsMax", "7",
                "logLevel", "debug",
                "baseDomain", "fleet.example",
                "selection.headers", "X-Where"));

        assertThat(ConfigurationChanges.between(read(Map.of()), after))
                .containsExactly("baseDomain", "logLevel", "selection.headers", "limits.shortCallsMax");
    }

    private static Configuration read(Map<String, String> flags) throws ConfigurationException {
        return ConfigurationReader.read(null, Map.of(), flags);
    }
}
