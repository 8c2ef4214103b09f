package io.fairlead.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;

/**
 * Writes the header blocks of one connection, in their order (RFC 7541). One thread.
 *
 * <p>Without a table of its own and without Huffman code: both save bytes where CPU is what a gateway runs out of, and a
 * table keeps what passes for as long as the connection stands. A block depends on no other one, so that blocks may be
 * prepared.
 */
public final class HpackEncoder {
    private static final int INDEXED = 0x80;
    private static final int INDEXED_BITS = 7;
    private static final int NEVER_INDEXED = 0x10;
    private static final int LITERAL_BITS = 4;
    private static final int LENGTH_BITS = 7;
    private static final byte TABLE_OF_SIZE_0 = 0x20;
    private static final int UPPER_TO_LOWER = 0x20;

    private boolean began;

    /**
     * Begins a block. The first one of a connection gives the table up, so that a peer that allows a smaller one than by
     * default sees its setting respected (section 4.2).
     */
    public void begin(ByteBuf out) {
        if (!began) {
            began = true;
            out.writeByte(TABLE_OF_SIZE_0);
        }
    }

    /** Writes a field with a name that the static table has, such as a pseudo-header field. */
    public void field(ByteBuf out, FieldName name, String value) {
        byte[] bytes = value.getBytes(ISO_8859_1);
        field(out, name, bytes, 0, bytes.length);
    }

    /** Writes fields with their names in lower case (RFC 9113 section 8.2.1). */
    public void fields(ByteBuf out, Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            FieldName known = fields.known(i);
            if (known == null) {
                out.writeByte(0);
                name(out, fields.bytes(), fields.nameStart(i), fields.nameLength(i));
                string(out, fields.bytes(), fields.valueStart(i), fields.valueLength(i));
            } else {
                field(out, known, fields.bytes(), fields.valueStart(i), fields.valueLength(i));
            }
        }
    }

    private static void field(ByteBuf out, FieldName name, byte[] value, int start, int length) {
        int nameIndex = StaticTable.indexOf(name);
        int index = nameIndex == 0 ? 0 : StaticTable.indexOf(nameIndex, value, start, length);
        if (index != 0) {
            integer(out, INDEXED, INDEXED_BITS, index);
            return;
        }
        integer(out, isSecret(name) ? NEVER_INDEXED : 0, LITERAL_BITS, nameIndex);
        if (nameIndex == 0) {
            string(out, name.bytes(), 0, name.bytes().length);
        }
        string(out, value, start, length);
    }

    /** What no one on the way may keep in a table (section 7.1.3). */
    private static boolean isSecret(FieldName name) {
        return name.equals(FieldName.AUTHORIZATION)
                || name.equals(FieldName.COOKIE)
                || name.equals(FieldName.SET_COOKIE)
                || name.equals(FieldName.PROXY_AUTHORIZATION);
    }

    private static void name(ByteBuf out, byte[] bytes, int start, int length) {
        integer(out, 0, LENGTH_BITS, length);
        for (int i = start; i < start + length; i++) {
            byte b = bytes[i];
            out.writeByte(b >= 'A' && b <= 'Z' ? b | UPPER_TO_LOWER : b);
        }
    }

    private static void string(ByteBuf out, byte[] bytes, int start, int length) {
        integer(out, 0, LENGTH_BITS, length);
        out.writeBytes(bytes, start, length);
    }

    /** Section 5.1. */
    private static void integer(ByteBuf out, int pattern, int prefixBits, int value) {
        int prefixMax = (1 << prefixBits) - 1;
        if (value < prefixMax) {
            out.writeByte(pattern | value);
            return;
        }
        out.writeByte(pattern | prefixMax);
        int rest = value - prefixMax;
        while (rest >= 0x80) {
            out.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }
}
