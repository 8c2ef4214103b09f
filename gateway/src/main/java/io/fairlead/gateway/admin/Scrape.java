package io.fairlead.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * All metrics as a scraper reads them.
 *
 * @param contentType the Prometheus text format, or OpenMetrics for those that accept it
 * @param body the text in UTF-8
 */
public record Scrape(String contentType, byte[] body) {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** Collects the current metrics. */
    public static Scrape of(PrometheusMeterRegistry registry, @Nullable String accept) {
        boolean open = accept != null && accept.contains("application/openmetrics-text");
        String contentType = open ? OPEN_METRICS : TEXT;
        return new Scrape(contentType, registry.scrape(contentType).getBytes(UTF_8));
    }
}
