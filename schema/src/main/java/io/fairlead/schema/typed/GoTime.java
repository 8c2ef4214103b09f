package io.fairlead.schema.typed;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HexFormat;

/**
 * A time as Go reads it ({@code time.Parse}) by the layouts of {@code metav1.Time} and {@code metav1.MicroTime} ({@code
 * apimachinery/pkg/apis/meta/v1}), with what Go takes beyond RFC 3339: an hour of one digit, a comma before the fraction,
 * offsets up to {@code 24:60}. What it refuses it refuses in Go's words, but for long texts, of which it shows the beginning.
 *
 * <p>It reads bytes of UTF-8, as Go does, each of which stands here as one character.
 */
final class GoTime {
    /** {@code time.RFC3339}. */
    private static final String SECONDS = "2006-01-02T15:04:05Z07:00";

    /** {@code metav1.RFC3339Micro}, whose fraction must be as long as it is here. */
    private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";

    private static final String FRACTION = ".000000";
    private static final String ZONE = "Z07:00";
    private static final int SHOWN_MAX = 256;
    private static final int NANO_DIGITS = 9;
    private static final long DAY_SECONDS = 86_400;

    /** Go's {@code time.Time{}}, the first second of the year 1, which stands for no time. */
    private static final Instant ZERO = Instant.ofEpochSecond(-62_135_596_800L);

    private static final Instant YEAR_0 = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant YEAR_10000 = Instant.parse("+10000-01-01T00:00:00Z");

    private final String layout;
    private final String text;
    private int position;

    private GoTime(String layout, String text) {
        this.layout = layout;
        this.text = text;
    }

    /**
     * The time that a text means.
     *
     * @param micros whether it is a {@code MicroTime}
     * @throws DateTimeException in Go's words if it means none
     */
    static Instant parse(String text, boolean micros) {
        return new GoTime(micros ? MICROS : SECONDS, bytes(text)).time();
    }

    /** Whether Go writes null for it, as for a time that is not there. */
    static boolean isZero(Instant instant) {
        return instant.equals(ZERO);
    }

    /** Whether it has a year that can be read again once it is written. */
    static boolean isWritable(Instant instant) {
        return !instant.isBefore(YEAR_0) && instant.isBefore(YEAR_10000);
    }

    private Instant time() {
        int year = year();
        literal('-');
        int month = number("01", 2);
        require(month >= 1 && month <= 12, "month");
        literal('-');
        int day = number("02", 2);
        literal('T');
        int hour = below(24, number("15", 1), "hour");
        literal(':');
        int minute = below(60, number("04", 2), "minute");
        literal(':');
        int second = below(60, number("05", 2), "second");
        int nanos = layout.contains(FRACTION) ? sixDigits() : anyDigits();
        long offset = offset();
        if (position < text.length()) {
            throw refused(": extra text: " + quote(text.substring(position)));
        }
        require(day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth(), "day");
        long days = LocalDate.of(year, month, day).toEpochDay();
        long secondOfDay = (hour * 60L + minute) * 60 + second;
        Instant time = Instant.ofEpochSecond(days * DAY_SECONDS + secondOfDay - offset, nanos);
        if (!isWritable(time)) {
            // Go takes it, and writes what it cannot read.
            throw refused(": year outside of range [0,9999]");
        }
        return time;
    }

    private int year() {
        for (int i = 0; i < 4; i++) {
            if (!isDigit(position + i)) {
                throw unparsable("2006", position);
            }
        }
        position += 4;
        return Integer.parseInt(text, position - 4, position, 10);
    }

    private void literal(char expected) {
        if (position >= text.length() || text.charAt(position) != expected) {
            throw unparsable(String.valueOf(expected), position);
        }
        position++;
    }

    /** A number of two digits, or of one where so many suffice. */
    private int number(String element, int digitsMin) {
        int digits = !isDigit(position) ? 0 : isDigit(position + 1) ? 2 : 1;
        if (digits < digitsMin) {
            throw unparsable(element, position);
        }
        position += digits;
        return Integer.parseInt(text, position - digits, position, 10);
    }

    private int below(int end, int number, String what) {
        require(number < end, what);
        return number;
    }

    /** A fraction that need not be there, of any length. */
    private int anyDigits() {
        if (!isPoint(position) || !isDigit(position + 1)) {
            return 0;
        }
        int from = position + 1;
        position = from;
        while (isDigit(position)) {
            position++;
        }
        return nanos(from, Math.min(position, from + NANO_DIGITS));
    }

    /** The fraction of a layout that has one; Go reads it as an integer, which may have a sign. */
    private int sixDigits() {
        int end = position + FRACTION.length();
        if (end > text.length() || !isPoint(position)) {
            throw unparsable(FRACTION, position);
        }
        char first = text.charAt(position + 1);
        int from = position + (first == '+' || first == '-' ? 2 : 1);
        for (int i = from; i < end; i++) {
            if (!isDigit(i)) {
                throw unparsable(FRACTION, position);
            }
        }
        int micros = Integer.parseInt(text, from, end, 10);
        require(first != '-' || micros == 0, "fractional second");
        position = end;
        return micros * 1000;
    }

    private int nanos(int from, int end) {
        int nanos = Integer.parseInt(text, from, end, 10);
        for (int i = end - from; i < NANO_DIGITS; i++) {
            nanos *= 10;
        }
        return nanos;
    }

    /** The seconds by which the zone is ahead of UTC. */
    private long offset() {
        int start = position;
        if (start < text.length() && text.charAt(start) == 'Z') {
            position++;
            return 0;
        }
        if (text.length() - start < ZONE.length() || text.charAt(start + 3) != ':') {
            throw unparsable(ZONE, start);
        }
        int hours = twoDigits(start + 1);
        int minutes = hours < 0 ? -1 : twoDigits(start + 4);
        require(minutes <= 60, "time zone offset minute");
        require(hours <= 24, "time zone offset hour");
        char sign = text.charAt(start);
        if (minutes < 0 || (sign != '+' && sign != '-')) {
            throw unparsable(ZONE, start);
        }
        position += ZONE.length();
        long seconds = (hours * 60L + minutes) * 60;
        return sign == '-' ? -seconds : seconds;
    }

    /** Their number, or -1 if they are none. */
    private int twoDigits(int from) {
        return isDigit(from) && isDigit(from + 1) ? Integer.parseInt(text, from, from + 2, 10) : -1;
    }

    private boolean isPoint(int at) {
        return at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',');
    }

    private boolean isDigit(int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private void require(boolean inRange, String what) {
        if (!inRange) {
            throw refused(": " + what + " out of range");
        }
    }

    private DateTimeException unparsable(String element, int from) {
        return refused(
                " as " + quote(layout) + ": cannot parse " + quote(text.substring(from)) + " as " + quote(element));
    }

    private DateTimeException refused(String why) {
        return new DateTimeException("parsing time " + quote(text) + why);
    }

    /** As the package {@code time} quotes: a byte that is no printable ASCII in hexadecimal digits. */
    private static String quote(String bytes) {
        StringBuilder quoted = new StringBuilder().append('"');
        bytes.chars().limit(SHOWN_MAX).forEach(c -> {
            if (c < ' ' || c >= 0x80) {
                quoted.append("\\x").append(HexFormat.of().toHexDigits((byte) c));
            } else {
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            }
        });
        return quoted.append(bytes.length() > SHOWN_MAX ? "...\"" : "\"").toString();
    }

    /** The bytes of a text, half of a surrogate pair as Go reads it from JSON: U+FFFD. */
    private static String bytes(String text) {
        try {
            return StandardCharsets.ISO_8859_1
                    .decode(StandardCharsets.UTF_8
                            .newEncoder()
                            .onMalformedInput(CodingErrorAction.REPLACE)
                            .replaceWith(new byte[] {(byte) 0xef, (byte) 0xbf, (byte) 0xbd})
                            .encode(CharBuffer.wrap(text)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("an encoder that replaces", e);
        }
    }
}
