package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.storage.StoreOptions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** The limits of a gateway whose configuration gives nothing but what a test limits; all others are the product's defaults. */
public final class Limited {
    /** No key is given. */
    public static final EdgeLimits BY_DEFAULT = by(Map.of());

    private Limited() {}

    /** Those of the front end, where some keys are given: {@code limits.shortCallsMax} by 3. */
    public static EdgeLimits by(Map<String, ?> given) {
        return Limits.ofFrontEnd(read(given));
    }

    /** Those of connections to attached clusters. */
    public static UpstreamLimits upstreamsByDefault() {
        return Limits.ofUpstreams(read(Map.of()));
    }

    static StoreOptions storeByDefault() {
        return Limits.ofStore(read(Map.of()));
    }

    static Configuration read(Map<String, ?> given) {
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
