package io.fairlead.http.hpack;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.Malformed;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/*
 * Names and values are read where they stand: in the block, in a table's entry, or in `text`, where Huffman code is
 * decoded to. They are copied once, into the Fields; and once more into an entry of the table if the peer wants one.
 */
/**
 * Reads the header blocks of one connection, in their order (RFC 7541). One thread.
 *
 * <p>A list beyond the limits is still read to its end, so that the table stays the peer's; its fields are dropped.
 */
public final class HpackDecoder {
    private static final int INDEXED = 0x80;
    private static final int INDEXED_BITS = 7;
    private static final int WITH_INDEXING = 0x40;
    private static final int WITH_INDEXING_BITS = 6;
    private static final int SIZE_UPDATE = 0x20;
    private static final int SIZE_UPDATE_BITS = 5;
    private static final int LITERAL_BITS = 4;
    private static final int HUFFMAN = 0x80;
    private static final int LENGTH_BITS = 7;

    /** An integer needs no more for what a block of this size can say. */
    private static final int INTEGER_SHIFT_MAX = 21;

    /** The smallest size since the last block, and the present one (section 4.2). */
    private static final int SIZE_UPDATES_MAX = 2;

    private static final int FIELDS_EXPECTED = 16;
    private static final int KEPT_BLOCK_BYTES_MAX = 1024;
    private static final Fields.Builder NONE = Fields.builder(0, 0);

    private final int tableBytesMax;
    private final int listBytesMax;
    private final int fieldsMax;
    private final DynamicTable table;

    /** Null for a peer that may use a table. */
    private final @Nullable LastLiterals lastLiterals;

    private byte[] block = new byte[0];
    private int at;
    private int end;

    private byte[] text = new byte[0];
    private int textEnd;

    /** The literal that was read last, and where its bytes stand. */
    private byte[] stringBytes = text;

    private int stringLength;

    private Fields.Builder fields = NONE;
    private long listBytes;
    private int listFields;

    /**
     * A decoder of a new connection.
     *
     * @param tableBytesMax what {@code SETTINGS_HEADER_TABLE_SIZE} announces to the peer
     * @param listBytesMax the most bytes of all names and values together
     * @param fieldsMax the most fields, pseudo-header fields too
     */
    public HpackDecoder(int tableBytesMax, int listBytesMax, int fieldsMax) {
        this.tableBytesMax = tableBytesMax;
        this.listBytesMax = listBytesMax;
        this.fieldsMax = fieldsMax;
        this.table = new DynamicTable(tableBytesMax);
        this.lastLiterals = tableBytesMax == 0 ? new LastLiterals() : null;
    }

    /**
     * Reads a whole block; the caller keeps the buffer.
     *
     * @throws Malformed if it is no valid block; the connection cannot go on ({@code COMPRESSION_ERROR})
     */
    public Decoded decode(ByteBuf buffer) throws Malformed {
        take(buffer);
        fields = Fields.builder(FIELDS_EXPECTED, 2 * end + 64);
        listBytes = 0;
        listFields = 0;
        if (lastLiterals != null) {
            lastLiterals.begin();
        }
        int sizeUpdates = 0;
        while (at < end) {
            int first = block[at++] & 0xff;
            if ((first & INDEXED) != 0) {
                indexed(integer(first, INDEXED_BITS));
            } else if ((first & WITH_INDEXING) != 0) {
                literal(integer(first, WITH_INDEXING_BITS), true);
            } else if ((first & SIZE_UPDATE) != 0) {
                sizeUpdates++;
                resize(integer(first, SIZE_UPDATE_BITS), sizeUpdates);
            } else {
                literal(integer(first, LITERAL_BITS), false);
            }
        }
        Fields read = fields.build();
        forget();
        return new Decoded(read, excess());
    }

    /** A connection that waits holds little. */
    private void forget() {
        fields = NONE;
        if (block.length > KEPT_BLOCK_BYTES_MAX) {
            block = new byte[0];
            text = block;
        }
        stringBytes = text;
    }

    private @Nullable Excess excess() {
        if (listBytes > listBytesMax) {
            return Excess.BYTES;
        }
        return listFields > fieldsMax ? Excess.FIELDS : null;
    }

    private void take(ByteBuf buffer) {
        at = 0;
        end = buffer.readableBytes();
        if (block.length < end) {
            block = new byte[Math.max(end, 512)];
        }
        buffer.readBytes(block, 0, end);
        // One field's name and value at a time: a block never holds more.
        if (text.length < Huffman.decodedBytesMax(end)) {
            text = new byte[Huffman.decodedBytesMax(block.length)];
        }
    }

    private void resize(int bytesMax, int sizeUpdates) throws Malformed {
        if (listFields > 0) {
            throw Malformed.of("header block: expected a table size update at its beginning only");
        }
        if (sizeUpdates > SIZE_UPDATES_MAX) {
            throw Malformed.of("header block: expected at most 2 table size updates");
        }
        if (bytesMax > tableBytesMax) {
            throw Malformed.of("header block: table size " + bytesMax + " (expected at most " + tableBytesMax + ")");
        }
        table.resize(bytesMax);
    }

    private void indexed(int index) throws Malformed {
        TableEntry entry = entry(index);
        add(
                entry.known(),
                entry.bytes(),
                0,
                entry.nameLength(),
                entry.bytes(),
                entry.nameLength(),
                entry.valueLength());
    }

    private void literal(int nameIndex, boolean withIndexing) throws Malformed {
        textEnd = 0;
        byte[] name;
        int nameStart = 0;
        int nameLength;
        FieldName known;
        if (nameIndex == 0) {
            nameStart = string();
            nameLength = stringLength;
            name = stringBytes;
            known = FieldName.find(name, nameStart, nameLength);
        } else {
            TableEntry entry = entry(nameIndex);
            name = entry.bytes();
            nameLength = entry.nameLength();
            known = entry.known();
        }
        int valueStart = string();
        if (withIndexing && table.makeRoom(TableEntry.OVERHEAD + nameLength + stringLength)) {
            table.add(entry(known, name, nameStart, nameLength, stringBytes, valueStart, stringLength));
        }
        add(known, name, nameStart, nameLength, stringBytes, valueStart, stringLength);
    }

    /** Reads a string literal; returns where it begins in {@link #stringBytes}. */
    private int string() throws Malformed {
        if (at == end) {
            throw truncated();
        }
        int first = block[at++] & 0xff;
        int length = integer(first, LENGTH_BITS);
        if (length > end - at) {
            throw truncated();
        }
        int start = at;
        at += length;
        if ((first & HUFFMAN) == 0) {
            stringBytes = block;
            stringLength = length;
            return start;
        }
        LastLiterals.Literal known = lastLiterals == null ? null : lastLiterals.next(block, start, length);
        if (known != null) {
            stringBytes = known.text();
            stringLength = known.textLength();
            return 0;
        }
        int textStart = textEnd;
        textEnd = Huffman.decode(block, start, length, text, textStart);
        stringBytes = text;
        stringLength = textEnd - textStart;
        return textStart;
    }

    /** Section 5.1, from the octet with the prefix on. */
    private int integer(int first, int prefixBits) throws Malformed {
        int prefixMax = (1 << prefixBits) - 1;
        int value = first & prefixMax;
        if (value < prefixMax) {
            return value;
        }
        for (int shift = 0; shift <= INTEGER_SHIFT_MAX; shift += 7) {
            if (at == end) {
                throw truncated();
            }
            int next = block[at++];
            value += (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw Malformed.of("header block: expected integers of at most 5 octets");
    }

    private TableEntry entry(int index) throws Malformed {
        if (index == 0) {
            throw Malformed.of("header block: index 0 (expected one from 1 on)");
        }
        if (index <= StaticTable.SIZE) {
            return StaticTable.get(index);
        }
        if (index - StaticTable.SIZE > table.entries()) {
            throw Malformed.of("header block: index " + index + " (expected at most "
                    + (StaticTable.SIZE + table.entries()) + " now)");
        }
        return table.get(index - StaticTable.SIZE);
    }

    private static TableEntry entry(
            @Nullable FieldName known,
            byte[] name,
            int nameStart,
            int nameLength,
            byte[] value,
            int valueStart,
            int valueLength) {
        byte[] bytes = new byte[nameLength + valueLength];
        System.arraycopy(name, nameStart, bytes, 0, nameLength);
        System.arraycopy(value, valueStart, bytes, nameLength, valueLength);
        return new TableEntry(bytes, nameLength, known);
    }

    private void add(
            @Nullable FieldName known,
            byte[] name,
            int nameStart,
            int nameLength,
            byte[] value,
            int valueStart,
            int valueLength) {
        listBytes += nameLength + valueLength;
        listFields++;
        if (excess() == null) {
            fields.add(known, name, nameStart, nameLength, value, valueStart, valueLength);
        }
    }

    private static Malformed truncated() {
        return Malformed.of("header block: expected more bytes at its end");
    }

    /**
     * What a block holds.
     *
     * @param fields in their order, pseudo-header fields too; without the last ones if there is an excess
     * @param excess the exceeded limit, or null
     */
    public record Decoded(Fields fields, @Nullable Excess excess) {}

    /** A limit of a list of fields. */
    public enum Excess {
        BYTES,
        FIELDS
    }
}
