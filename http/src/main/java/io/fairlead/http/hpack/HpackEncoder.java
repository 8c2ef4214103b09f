package io.fairlead.http.hpack;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.Fields;
import io.fairlead.http.Scratch;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

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

    /** What no one on the way may keep in a table (section 7.1.3). */
    private static final FieldNames SECRETS =
            FieldNames.of("authorization", "cookie", "set-cookie", "proxy-authorization");

    /** An index and two lengths, each an integer of at most six octets. */
    private static final int FIELD_BYTES_REST = 18;

    private static final byte[] NONE = {};

    private boolean began;

    /** The block that is being made, in the thread's array unless that is too small, and where it ends. */
    private byte[] block = NONE;

    private int end;

    /**
     * Begins a block. The first one of a connection gives the table up, so that a peer that allows a smaller one than by
     * default sees its setting respected (section 4.2).
     */
    public void begin() {
        block = Scratch.ofAtLeast(0);
        end = 0;
        if (!began) {
            began = true;
            block[end++] = TABLE_OF_SIZE_0;
        }
    }

    /** Adds a pseudo-header field; its value has no character beyond ISO-8859-1. */
    @SuppressWarnings("deprecation") // The one conversion without an array of its own.
    public void field(FieldName name, String value) {
        int length = value.length();
        int rest = name.bytes().length + FIELD_BYTES_REST;
        reserve(2 * length + rest);
        int text = end + length + rest;
        value.getBytes(0, length, block, text);
        end = field(block, end, name, block, text, length);
    }

    /** Adds fields with their names in lower case (RFC 9113 section 8.2.1). */
    public void fields(Fields fields) {
        reserve(fields.length() + fields.size() * FIELD_BYTES_REST);
        int at = end;
        for (int i = 0; i < fields.size(); i++) {
            FieldName known = fields.known(i);
            if (known == null) {
                block[at++] = 0;
                at = name(block, at, fields.bytes(), fields.nameStart(i), fields.nameLength(i));
                at = string(block, at, fields.bytes(), fields.valueStart(i), fields.valueLength(i));
            } else {
                at = field(block, at, known, fields.bytes(), fields.valueStart(i), fields.valueLength(i));
            }
        }
        end = at;
    }

    /** Writes the block. */
    public void end(ByteBuf out) {
        out.writeBytes(block, 0, end);
        block = NONE;
    }

    private void reserve(int more) {
        if (end + more > block.length) {
            block = Arrays.copyOf(block, Math.max(2 * block.length, end + more));
        }
    }

    private static int field(byte[] block, int at, FieldName name, byte[] value, int start, int length) {
        int nameIndex = StaticTable.indexOf(name);
        int index = nameIndex == 0 ? 0 : StaticTable.indexOf(nameIndex, value, start, length);
        if (index != 0) {
            return integer(block, at, INDEXED, INDEXED_BITS, index);
        }
        int next = integer(block, at, SECRETS.contains(name) ? NEVER_INDEXED : 0, LITERAL_BITS, nameIndex);
        if (nameIndex == 0) {
            next = string(block, next, name.bytes(), 0, name.bytes().length);
        }
        return string(block, next, value, start, length);
    }

    private static int name(byte[] block, int at, byte[] bytes, int start, int length) {
        int next = integer(block, at, 0, LENGTH_BITS, length);
        for (int i = start; i < start + length; i++) {
            byte b = bytes[i];
            block[next++] = b >= 'A' && b <= 'Z' ? (byte) (b | UPPER_TO_LOWER) : b;
        }
        return next;
    }

    private static int string(byte[] block, int at, byte[] bytes, int start, int length) {
        int next = integer(block, at, 0, LENGTH_BITS, length);
        System.arraycopy(bytes, start, block, next, length);
        return next + length;
    }

    /** Section 5.1. */
    private static int integer(byte[] block, int at, int pattern, int prefixBits, int value) {
        int prefixMax = (1 << prefixBits) - 1;
        if (value < prefixMax) {
            block[at] = (byte) (pattern | value);
            return at + 1;
        }
        block[at] = (byte) (pattern | prefixMax);
        int next = at + 1;
        int rest = value - prefixMax;
        while (rest >= 0x80) {
            block[next++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        block[next] = (byte) rest;
        return next + 1;
    }
}
