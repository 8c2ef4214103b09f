package io.fairlead.gateway.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.node.ObjectNode;

/**
 * A log line for programs: one JSON object of flat fields, {@code ts} (RFC 3339), {@code level}, {@code logger},
 * {@code msg}, the keys of the line, and {@code error} and {@code stacktrace} of an exception, as in the logs of
 * Kubernetes' components.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** A key with one of these names gets an underscore appended. */
    private static final Set<String> OWN = Set.of("ts", "level", "logger", "msg", "error", "stacktrace");

    @Override
    public String doLayout(ILoggingEvent event) {
        ObjectNode line = Json.object()
                .put("ts", time(event.getInstant()))
                .put("level", event.getLevel().toString().toLowerCase(Locale.ROOT))
                .put("logger", event.getLoggerName())
                .put("msg", wellFormed(event.getFormattedMessage()));
        for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
            add(line, OWN.contains(pair.key) ? pair.key + "_" : pair.key, pair.value);
        }
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            String message = thrown.getMessage() == null ? "" : ": " + thrown.getMessage();
            line.put("error", wellFormed(thrown.getClassName() + message));
            line.put("stacktrace", wellFormed(ThrowableProxyUtil.asString(thrown)));
        }
        return Json.text(line) + "\n";
    }

    private static String time(Instant instant) {
        return TIME.format(instant);
    }

    private static void add(ObjectNode line, String key, @Nullable Object value) {
        switch (value) {
            case null -> line.putNull(key);
            case Boolean flag -> line.put(key, flag);
            case Integer number -> line.put(key, number);
            case Long number -> line.put(key, number);
            default -> line.put(key, wellFormed(value.toString()));
        }
    }

    /** Unpaired surrogates have no UTF-8. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }
}
