package io.fairlead.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The encoding of a path segment, and its decoded text. */
final class SegmentText {
    private SegmentText() {}

    /** Refuses a segment with different raw and decoded readings. */
    static void requirePlain(String raw, int start, int end) {
        if (start == end) {
            throw Refusal.of("path", raw, "expected no empty segment (\"//\")");
        }
        if (isDots(raw, start, end)) {
            throw refuse(raw, start, end, "expected no dot segment");
        }
        boolean beyondAscii = false;
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                beyondAscii |= requireUsefulEscape(raw, start, i, end) >= 0x80;
                i += 2;
            } else {
                requirePlainCharacter(raw, start, end, c);
            }
        }
        if (beyondAscii && utf8(unescape(raw, start, end, false)) == null) {
            throw refuse(raw, start, end, "expected the escaped bytes to be UTF-8");
        }
    }

    /** Refuses dot segments and control bytes after a position, including escaped ones. */
    static void requireNoDotSegments(String raw, int from) {
        int start = from;
        for (int i = from; i <= raw.length(); i++) {
            if (i < raw.length() && isForbiddenAnywhere(raw.charAt(i))) {
                throw refuse(raw, from, raw.length(), "expected no control byte, space, '?' or '#'");
            }
            int separator = separatorLength(raw, i);
            if (separator > 0) {
                requireNoDots(raw, start, i);
                start = i + separator;
            }
        }
    }

    /** The decoded text of a segment that passed {@link #requirePlain}. */
    static String decode(String raw, int start, int end) {
        int percent = raw.indexOf('%', start);
        if (percent < 0 || percent >= end) {
            return raw.substring(start, end);
        }
        return new String(unescape(raw, start, end, false), StandardCharsets.UTF_8);
    }

    /** The bytes of a text, escapes resolved, which must be complete; {@code +} may stand for a space. */
    static byte[] unescape(String raw, int start, int end, boolean plusIsSpace) {
        byte[] bytes = new byte[end - start];
        int length = 0;
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = (byte) escapedByte(raw, i, end);
                i += 2;
            } else {
                bytes[length++] = (byte) (c == '+' && plusIsSpace ? ' ' : c);
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    /** The text of bytes, or null if they are not UTF-8. */
    static @Nullable String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The byte of {@code %XX} at a position, or -1 if it is not an escape. */
    static int escapedByte(String raw, int percent, int end) {
        if (percent + 2 >= end) {
            return -1;
        }
        int high = hexDigit(raw.charAt(percent + 1));
        int low = hexDigit(raw.charAt(percent + 2));
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    static boolean isControl(int c) {
        return c < ' ' || c == 0x7f;
    }

    private static boolean isForbiddenAnywhere(char c) {
        return isControl(c) || c == ' ' || c == '?' || c == '#' || c > 0xff;
    }

    private static int requireUsefulEscape(String raw, int start, int percent, int end) {
        int value = escapedByte(raw, percent, end);
        if (value < 0) {
            throw refuse(raw, start, end, "expected two hexadecimal digits after '%'");
        }
        if (isUnreserved(value)) {
            throw refuse(raw, start, end, "expected '" + (char) value + "' without escaping");
        }
        if (value == '/' || value == '%' || value == ';' || value == '\\') {
            throw refuse(raw, start, end, "expected no escaped '" + (char) value + "'");
        }
        if (isControl(value)) {
            throw refuse(raw, start, end, "expected no control byte");
        }
        return value;
    }

    private static void requirePlainCharacter(String raw, int start, int end, char c) {
        if (isForbiddenAnywhere(c)) {
            throw refuse(raw, start, end, "expected no control byte, space, '?' or '#'");
        }
        if (c == ';') {
            throw refuse(raw, start, end, "expected no parameters (\";\")");
        }
        if (c == '\\') {
            throw refuse(raw, start, end, "expected no backslash");
        }
        if (c > 0x7f) {
            throw refuse(raw, start, end, "expected bytes beyond ASCII to be percent-encoded UTF-8");
        }
    }

    /** The length of a slash, plain or escaped, at a position; 1 at the end of the text; otherwise 0. */
    private static int separatorLength(String raw, int at) {
        if (at == raw.length() || raw.charAt(at) == '/' || raw.charAt(at) == '\\') {
            return 1;
        }
        int escaped = raw.charAt(at) == '%' ? escapedByte(raw, at, raw.length()) : -1;
        return escaped == '/' || escaped == '\\' ? 3 : 0;
    }

    /** Refuses {@code .} and {@code ..}, also escaped and with parameters. */
    private static void requireNoDots(String raw, int start, int end) {
        int dots = 0;
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            if (c == ';') {
                break;
            }
            if (c != '.' && !(c == '%' && escapedByte(raw, i, end) == '.')) {
                return;
            }
            i += c == '%' ? 2 : 0;
            dots++;
        }
        if (dots == 1 || dots == 2) {
            throw refuse(raw, start, end, "expected no dot segment");
        }
    }

    private static boolean isDots(String raw, int start, int end) {
        int length = end - start;
        return length <= 2 && raw.charAt(start) == '.' && raw.charAt(end - 1) == '.';
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static StatusException refuse(String raw, int start, int end, String problem) {
        return Refusal.of("path segment", raw.substring(start, end), problem);
    }
}
