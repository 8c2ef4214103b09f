package io.fairlead.http.h1;

import io.fairlead.http.FieldRules;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.netty.buffer.ByteBuf;

/**
 * The field lines of a head, read so that no other parser can read them differently (RFC 9112 section 5): each ends with
 * CR LF, none is folded, no white space stands around a name, no control byte in a value.
 */
public final class FieldLines {
    private static final int CR_LF = 0x0d0a;
    private static final int COLON_SPACE = 0x3a20;
    private static final int NAME_AND_VALUE_EXPECTED = 40;

    private FieldLines() {}

    /**
     * Reads them.
     *
     * @param start the index of the first line
     * @param end the index after the CR LF of the last one
     * @throws Malformed {@link Malformed#isTooLarge too large} if there are more than allowed
     */
    public static Fields parse(byte[] bytes, int start, int end, int fieldsMax) throws Malformed {
        Fields.Builder fields = Fields.builder((end - start) / NAME_AND_VALUE_EXPECTED + 1, end - start);
        for (int at = start; at < end; ) {
            if (fields.size() == fieldsMax) {
                throw Malformed.tooLarge("header fields: expected at most " + fieldsMax);
            }
            int lineEnd = endOfLine(bytes, at, end);
            add(fields, bytes, at, lineEnd);
            at = lineEnd + 2;
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
        throw Malformed.of("head: expected each line to end with CR LF");
    }

    /** Writes them. */
    public static void write(ByteBuf out, Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            out.writeBytes(fields.bytes(), fields.nameStart(i), fields.nameLength(i));
            out.writeShort(COLON_SPACE);
            out.writeBytes(fields.bytes(), fields.valueStart(i), fields.valueLength(i));
            out.writeShort(CR_LF);
        }
    }

    private static void add(Fields.Builder fields, byte[] bytes, int start, int end) throws Malformed {
        int colon = start;
        while (colon < end && FieldRules.isTokenCharacter(bytes[colon])) {
            colon++;
        }
        if (colon == start || colon == end || bytes[colon] != ':') {
            throw Malformed.of("header field " + (fields.size() + 1)
                    + ": expected a name of token characters, directly followed by ':', on one line");
        }
        int valueStart = colon + 1;
        while (valueStart < end && isBlank(bytes[valueStart])) {
            valueStart++;
        }
        int valueEnd = end;
        while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) {
            valueEnd--;
        }
        for (int i = valueStart; i < valueEnd; i++) {
            if (!FieldRules.isFieldValueCharacter(bytes[i] & 0xff)) {
                throw Malformed.of("header field " + (fields.size() + 1) + ": byte " + FieldRules.hex(bytes[i] & 0xff)
                        + " (expected no control bytes)");
            }
        }
        fields.add(bytes, start, colon - start, bytes, valueStart, valueEnd - valueStart);
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }
}
