package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

/** The bytes of a line while it is made: JSON in UTF-8, used again for the next one. Belongs to one thread. */
final class LineBytes {
    private static final int BYTES_AT_FIRST = 2 * 1024;

    /** A larger one is not kept for the next line. */
    private static final int BYTES_KEPT_MAX = 64 * 1024;

    /** What one character takes at most: a backslash, {@code u} and four digits. */
    private static final int ESCAPE_BYTES = 6;

    private static final int TIME_BYTES = 29;
    private static final int MICROS_DIGITS = 6;
    private static final long MICROS = 1_000_000;
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

    private byte[] bytes = new byte[BYTES_AT_FIRST];
    private int length;

    /** The last second that was written, and its text. */
    private long second = Long.MIN_VALUE;

    private byte[] secondText = {};

    LineBytes clear() {
        if (bytes.length > BYTES_KEPT_MAX) {
            bytes = new byte[BYTES_AT_FIRST];
        }
        length = 0;
        return this;
    }

    /** What was written, behind which there may be more. */
    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Forgets what was written behind an earlier length. */
    void cut(int earlierLength) {
        length = earlierLength;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** Bytes that are JSON. */
    LineBytes raw(byte[] json) {
        return raw(json, 0, json.length);
    }

    LineBytes raw(byte[] json, int from, int to) {
        room(to - from);
        System.arraycopy(json, from, bytes, length, to - from);
        length += to - from;
        return this;
    }

    LineBytes raw(char ascii) {
        room(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    LineBytes number(int number) {
        return raw(Integer.toString(number).getBytes(US_ASCII));
    }

    /** A string. */
    LineBytes text(String text) {
        room(ESCAPE_BYTES * text.length() + 2);
        bytes[length++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                bytes[length++] = (byte) c;
            } else {
                i += escaped(text, i);
            }
        }
        bytes[length++] = '"';
        return this;
    }

    /** An array of strings. */
    LineBytes texts(List<String> texts) {
        raw('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                raw(',');
            }
            text(texts.get(i));
        }
        return raw(']');
    }

    /** A time with microseconds, as {@code MicroTime} of apimachinery has it. */
    LineBytes time(long epochMicros) {
        long seconds = Math.floorDiv(epochMicros, MICROS);
        if (seconds != second) {
            second = seconds;
            secondText = (LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC)
                                    .withNano(0) + ":00")
                    .substring(0, "2000-01-01T00:00:00".length())
                    .getBytes(US_ASCII);
        }
        room(TIME_BYTES);
        raw('"').raw(secondText).raw('.');
        long micros = Math.floorMod(epochMicros, MICROS);
        for (int digit = MICROS_DIGITS - 1; digit >= 0; digit--) {
            bytes[length + digit] = (byte) ('0' + micros % 10);
            micros /= 10;
        }
        length += MICROS_DIGITS;
        return raw('Z').raw('"');
    }

    /** Writes a character that is not plain; returns how many more of the text were used. */
    private int escaped(String text, int i) {
        char c = text.charAt(i);
        if (c == '"' || c == '\\') {
            bytes[length++] = '\\';
            bytes[length++] = (byte) c;
            return 0;
        }
        if (c < ' ' || c == 0x7f) {
            bytes[length++] = '\\';
            bytes[length++] = 'u';
            bytes[length++] = '0';
            bytes[length++] = '0';
            bytes[length++] = HEX[c >> 4];
            bytes[length++] = HEX[c & 0xf];
            return 0;
        }
        boolean isPair =
                Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
        String character =
                isPair ? text.substring(i, i + 2) : Character.isSurrogate(c) ? "\ufffd" : text.substring(i, i + 1);
        raw(character.getBytes(UTF_8));
        return isPair ? 1 : 0;
    }

    private void room(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
