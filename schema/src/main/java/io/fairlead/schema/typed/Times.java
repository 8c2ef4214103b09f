package io.fairlead.schema.typed;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The texts of {@code metav1.Time} and {@code metav1.MicroTime}: RFC 3339 in UTC. */
public final class Times {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** The text of a time, which has no finer parts than the text shows. */
    public static String text(Instant instant, boolean micros) {
        return micros ? MICROS.format(instant) : DateTimeFormatter.ISO_INSTANT.format(instant);
    }
}
