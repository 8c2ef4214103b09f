package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Values;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Timestamps and durations. */
public final class TimeFunctions {
    private static final Instant MIN = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final DateTimeFormatter TEXT = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendLiteral('Z')
            .toFormatter()
            .withZone(ZoneOffset.UTC);
    private static final int TEXT_MAX = 64;

    private TimeFunctions() {}

    static void addTo(Registry registry) {
        registry.unary(
                        "duration",
                        String.class,
                        (text, _) -> GoDuration.parse(text)
                                .<Object>map(duration -> duration)
                                .orElse(failed("string", "google.protobuf.Duration")))
                .unary("duration", Duration.class, (duration, _) -> duration)
                .unary("duration", Long.class, (nanos, _) -> Duration.ofNanos(nanos))
                .unary(
                        "timestamp",
                        String.class,
                        (text, _) -> parse(text)
                                .<Object>map(instant -> instant)
                                .orElse(failed("string", "google.protobuf.Timestamp")))
                .unary("timestamp", Instant.class, (instant, _) -> instant)
                .unary("timestamp", Long.class, (seconds, _) -> ofSeconds(seconds));
        part(registry, "getFullYear", ZonedDateTime::getYear);
        part(registry, "getMonth", time -> time.getMonthValue() - 1L);
        part(registry, "getDayOfYear", time -> time.getDayOfYear() - 1L);
        part(registry, "getDayOfMonth", time -> time.getDayOfMonth() - 1L);
        part(registry, "getDate", ZonedDateTime::getDayOfMonth);
        part(registry, "getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7L);
        part(registry, "getHours", ZonedDateTime::getHour);
        part(registry, "getMinutes", ZonedDateTime::getMinute);
        part(registry, "getSeconds", ZonedDateTime::getSecond);
        part(registry, "getMilliseconds", time -> time.getNano() / 1_000_000L);
        registry.unary("getHours", Duration.class, (duration, _) -> duration.toHours())
                .unary("getMinutes", Duration.class, (duration, _) -> duration.toMinutes())
                .unary("getSeconds", Duration.class, (duration, _) -> duration.toNanos() / 1_000_000_000L)
                .unary("getMilliseconds", Duration.class, (duration, _) -> duration.toNanos() / 1_000_000L);
    }

    private static void part(Registry registry, String name, ToLongFunction<ZonedDateTime> part) {
        registry.unary(name, Instant.class, (instant, _) -> part.applyAsLong(instant.atZone(ZoneOffset.UTC)))
                .binary(name, Instant.class, String.class, (instant, zone, _) -> {
                    try {
                        return part.applyAsLong(instant.atZone(zone(zone)));
                    } catch (DateTimeException e) {
                        return new CelError("unknown time zone " + Values.shown(zone));
                    }
                });
    }

    /** A name of the time zone database, or an offset ({@code -08:00}, {@code 02:00}). */
    private static ZoneId zone(String name) {
        if (name.isEmpty() || name.equals("UTC")) {
            return ZoneOffset.UTC;
        }
        if (name.length() > TEXT_MAX) {
            throw new DateTimeException("too long");
        }
        return ZoneId.of(name.matches("[0-9]{2}:[0-9]{2}") ? "+" + name : name);
    }

    /** The time of a text (RFC 3339), empty if it is none. */
    public static Optional<Instant> parse(String text) {
        if (text.length() > TEXT_MAX || !text.matches("[0-9]{4}-.*[0-9Z]")) {
            return Optional.empty();
        }
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return instant.isBefore(MIN) || instant.isAfter(MAX) ? Optional.empty() : Optional.of(instant);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    static Object bounded(Instant instant) {
        return instant.isBefore(MIN) || instant.isAfter(MAX) ? CelError.overflow("timestamp") : instant;
    }

    private static Object ofSeconds(long seconds) {
        boolean known = seconds >= MIN.getEpochSecond() && seconds <= MAX.getEpochSecond();
        return known ? Instant.ofEpochSecond(seconds) : CelError.overflow("timestamp");
    }

    static String text(Instant instant) {
        return TEXT.format(instant);
    }

    private static CelError failed(String from, String to) {
        return new CelError("type conversion error from '" + from + "' to '" + to + "'");
    }
}
