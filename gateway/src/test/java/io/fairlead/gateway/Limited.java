package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.storage.StoreOptions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** The configuration of a gateway that gives nothing but what a test limits; all else is the product's default. */
public final class Limited {
    /** No key is given. */
    public static final Configuration BY_DEFAULT = by(Map.of());

    private Limited() {}

    /** Those of connections to attached clusters. */
    public static UpstreamLimits upstreamsByDefault() {
        return Limits.ofUpstreams(BY_DEFAULT);
    }

    static StoreOptions storeByDefault() {
        return Limits.ofStore(BY_DEFAULT);
    }

    /** Where some keys are given: {@code limits.shortCallsMax} by 3. */
    public static Configuration by(Map<String, ?> given) {
        try {
            return ConfigurationReader.read(
                    null,
                    Map.of(),
                    given.entrySet().stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, key -> text(key.getValue()))));
        } catch (ConfigurationException invalid) {
            throw new IllegalArgumentException(invalid.problems().toString(), invalid);
        }
    }

    private static String text(Object value) {
        return value instanceof Duration time ? time.toMillis() + "ms" : value.toString();
    }
}
