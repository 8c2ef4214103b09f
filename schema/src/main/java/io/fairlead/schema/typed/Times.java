package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How {@code metav1.Time} and {@code metav1.MicroTime} are written: RFC 3339 in UTC. */
public final class Times {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** Why a text is no {@code metav1.Time}, in Go's words; empty if it is one. */
    public static Optional<String> problem(String text) {
        try {
            GoTime.parse(text, false);
            return Optional.empty();
        } catch (DateTimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A time without the parts that its type does not have; Go's zero time is null.
     *
     * @param micros whether it is a {@code MicroTime}
     * @throws DateTimeException if its year has not four digits
     */
    public static JsonNode node(Instant instant, boolean micros) {
        if (GoTime.isZero(instant)) {
            return Json.nodes().nullNode();
        }
        if (!GoTime.isWritable(instant)) {
            throw new DateTimeException("year outside of range [0,9999]");
        }
        return Json.nodes()
                .stringNode(
                        micros
                                ? MICROS.format(instant)
                                : DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS)));
    }
}
