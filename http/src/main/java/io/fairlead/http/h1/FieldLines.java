package io.fairlead.http.h1;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.fairlead.http.Rule;
import io.fairlead.http.Scratch;
import io.netty.buffer.ByteBuf;

/**
 * The field lines of a head, read so that no other parser can read them differently (RFC 9112 section 5): each ends with
 * CR LF, none is folded, no white space stands around a name, no control byte in a value.
 */
public final class FieldLines {
    private static final int SEPARATOR_BYTES = ": \r\n".length();
    private static final int NAME_AND_VALUE_EXPECTED = 40;

    private FieldLines() {}

    /**
     * Reads them.
     *
     * @param start the index of the first line
     * @param end the index after the CR LF of the last one
     * @throws Malformed of {@link Rule#FIELDS} if there are more than allowed
     */
    public static Fields parse(byte[] bytes, int start, int end, int fieldsMax) throws Malformed {
        Fields.Builder fields = Fields.builder((end - start) / NAME_AND_VALUE_EXPECTED + 1, end - start);
        for (int at = start; at < end; ) {
            if (fields.size() == fieldsMax) {
                throw Malformed.of(Rule.FIELDS, "header fields: expected at most " + fieldsMax);
            }
            at = add(fields, bytes, at, end);
        }
        return fields.build();
    }

    /** The index of a line's CR LF; a CR or LF alone is refused. */
    public static int endOfLine(byte[] bytes, int start, int end) throws Malformed {
        for (int i = start; i < end; i++) {
            byte b = bytes[i];
            if (b == '\r' && i + 1 < end && bytes[i + 1] == '\n') {
                return i;
            }
            if (b == '\r' || b == '\n') {
                break;
            }
        }
        throw Malformed.of(Rule.LINE_END, "head: expected each line to end with CR LF");
    }

    /** Refuses every transfer coding but chunks, which HTTP/1.0 does not know (RFC 9112 section 6.1). */
    static void requirePlainlyChunked(Fields fields, boolean isVersion11) throws Malformed {
        int field = fields.next(FieldName.TRANSFER_ENCODING, 0);
        if (!isVersion11
                || fields.next(FieldName.TRANSFER_ENCODING, field + 1) >= 0
                || !fields.value(field).equalsIgnoreCase("chunked")) {
            throw Malformed.of(
                    Rule.TRANSFER_ENCODING, "Transfer-Encoding header: expected \"chunked\" alone, and HTTP/1.1");
        }
    }

    /** How many bytes they take when they are written. */
    public static int bytes(Fields fields) {
        return fields.length() + fields.size() * SEPARATOR_BYTES;
    }

    /** Writes them. */
    public static void write(ByteBuf out, Fields fields) {
        int length = bytes(fields);
        byte[] lines = Scratch.ofAtLeast(length);
        int at = 0;
        for (int i = 0; i < fields.size(); i++) {
            at = copy(fields.bytes(), fields.nameStart(i), fields.nameLength(i), lines, at);
            lines[at++] = ':';
            lines[at++] = ' ';
            at = copy(fields.bytes(), fields.valueStart(i), fields.valueLength(i), lines, at);
            lines[at++] = '\r';
            lines[at++] = '\n';
        }
        out.writeBytes(lines, 0, length);
    }

    private static int copy(byte[] from, int start, int length, byte[] to, int at) {
        System.arraycopy(from, start, to, at, length);
        return at + length;
    }

    /** Reads the line that begins at an index; returns the index behind it. */
    private static int add(Fields.Builder fields, byte[] bytes, int start, int end) throws Malformed {
        int colon = start;
        while (colon < end && FieldRules.isTokenCharacter(bytes[colon])) {
            colon++;
        }
        int valueStart = colon + 1;
        while (valueStart < end && isBlank(bytes[valueStart])) {
            valueStart++;
        }
        int lineEnd = FieldRules.endOfValue(bytes, valueStart, end);
        if (colon == start
                || colon >= end
                || bytes[colon] != ':'
                || lineEnd + 1 >= end
                || bytes[lineEnd] != '\r'
                || bytes[lineEnd + 1] != '\n') {
            throw malformed(fields.size() + 1, bytes, start, end);
        }
        int valueEnd = lineEnd;
        while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) {
            valueEnd--;
        }
        fields.add(bytes, start, colon - start, bytes, valueStart, valueEnd - valueStart);
        return lineEnd + 2;
    }

    /** What is wrong with a line: its end, its name or its value. */
    private static Malformed malformed(int number, byte[] bytes, int start, int end) throws Malformed {
        int lineEnd = endOfLine(bytes, start, end);
        int colon = start;
        while (colon < lineEnd && FieldRules.isTokenCharacter(bytes[colon])) {
            colon++;
        }
        if (colon == start || colon == lineEnd || bytes[colon] != ':') {
            return Malformed.of(
                    Rule.FIELD,
                    "header field " + number
                            + ": expected a name of token characters, directly followed by ':', on one line");
        }
        int bad = FieldRules.endOfValue(bytes, colon + 1, lineEnd);
        return Malformed.of(
                Rule.FIELD,
                "header field " + number + ": byte " + FieldRules.hex(bytes[bad] & 0xff)
                        + " (expected no control bytes)");
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }
}
