package io.fairlead.benchmarks.route;

import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.gateway.Limits;
import io.fairlead.gateway.limits.EdgeLimits;
import java.util.Map;

/** The limits of a front end that is not configured: what is measured is the product as it comes. */
final class DefaultLimits {
    static final EdgeLimits FRONT_END = read();

    private DefaultLimits() {}

    private static EdgeLimits read() {
        try {
            return Limits.ofFrontEnd(ConfigurationReader.read(null, Map.of(), Map.of()));
        } catch (ConfigurationException invalid) {
            throw new IllegalStateException("the defaults are invalid", invalid);
        }
    }
}
