package io.fairlead.benchmarks.route;

import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.LimitSettings;
import java.util.Map;

/** The limits of a front end that is not configured: what is measured is the product as it comes. */
final class DefaultLimits {
    static final LimitSettings FRONT_END = read();

    private DefaultLimits() {}

    private static LimitSettings read() {
        try {
            return ConfigurationReader.read(null, Map.of(), Map.of()).limits();
        } catch (ConfigurationException invalid) {
            throw new IllegalStateException("the defaults are invalid", invalid);
        }
    }
}
