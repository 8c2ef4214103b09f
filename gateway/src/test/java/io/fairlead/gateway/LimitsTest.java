package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ByteSize;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.Key;
import io.fairlead.gateway.listen.EdgeLimits;
import io.fairlead.gateway.listen.Limit;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bound of the front end is a key of the configuration. */
class LimitsTest {
    @Test
    void defaultConfiguration_isTheDefaultLimits() throws Exception {
        assertThat(Limits.ofFrontEnd(read(Map.of()))).isEqualTo(EdgeLimits.defaults());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKey_changesTheLimits(Key key) throws Exception {
        Configuration changed = read(Map.of(key.path(), other(key)));

        assertThat(Limits.ofFrontEnd(changed)).isNotEqualTo(EdgeLimits.defaults());
    }

    @ParameterizedTest
    @EnumSource
    void everyLimitThatIsCounted_isAKey(Limit limit) {
        assertThat(Key.ALL).extracting(Key::path).contains(limit.key());
    }

    static Stream<Key> keys() {
        return Key.ALL.stream().filter(key -> key.path().startsWith("limits."));
    }

    private static String other(Key key) {
        if (key.type() == Duration.class) {
            return "7777ms";
        }
        return key.type() == ByteSize.class || key.type() == int.class ? "7777" : "unforeseen";
    }

    private static Configuration read(Map<String, String> flags) throws Exception {
        return ConfigurationReader.read(null, Map.of(), flags);
    }
}
