package io.fairlead.packages.oci;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive entry by entry: ustar and the pax interchange format (POSIX.1-2017, {@code pax}), and GNU's long names.
 *
 * <p>The stream is closed by its owner.
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_LENGTH = 155;

    /** What the keys of sparse files begin with. */
    private static final String SPARSE = "GNU.sparse";

    private final InputStream in;
    private final ReadingBudget budget;
    private long position;
    private long unread;

    TarReader(InputStream in, ReadingBudget budget) {
        this.in = in;
        this.budget = budget;
    }

    /** The next entry, null after the last one. What is left of the content of the one before is passed over. */
    @Nullable
    TarEntry next() throws IOException {
        Map<String, String> extended = new HashMap<>();
        while (true) {
            pass(unread);
            byte[] header = header();
            if (header == null) {
                return null;
            }
            budget.takeEntry();
            long size = number(header, SIZE_AT, SIZE_LENGTH);
            unread = padded(size);
            switch (header[TYPE_AT]) {
                case 'x' -> readRecords(content(size), extended);
                case 'L' -> extended.put("path", text(content(size), 0, (int) size));
                case 'g', 'K' -> {} // What holds for all entries, and where links lead, does not matter here.
                default -> {
                    return entry(header, size, extended);
                }
            }
        }
    }

    /** The content of the entry that was read last, in bytes as many as its size. */
    byte[] content(TarEntry entry) throws IOException {
        return exactly((int) entry.size());
    }

    private TarEntry entry(byte[] header, long size, Map<String, String> extended) {
        if (extended.containsKey(SPARSE)) {
            throw new UnreadablePackageException("the archive has a sparse file, which is not supported");
        }
        long length = extended.containsKey("size") ? decimal(extended.getOrDefault("size", "")) : size;
        String name = extended.containsKey("path") ? extended.getOrDefault("path", "") : name(header);
        TarEntry.Type type = type(header[TYPE_AT], name);
        if (type == TarEntry.Type.LINK || type == TarEntry.Type.DIRECTORY) {
            length = 0;
        }
        unread = padded(length);
        return new TarEntry(TarEntry.path(name, budget.limits().pathDepthMax()), type, length, position);
    }

    private static TarEntry.Type type(byte flag, String name) {
        return switch (flag) {
            case '0', '7', 0 -> name.endsWith("/") ? TarEntry.Type.DIRECTORY : TarEntry.Type.FILE;
            case '5' -> TarEntry.Type.DIRECTORY;
            case '1', '2' -> TarEntry.Type.LINK;
            default -> TarEntry.Type.OTHER;
        };
    }

    private static String name(byte[] header) {
        String name = text(header, 0, NAME_LENGTH);
        boolean isPosix = text(header, MAGIC_AT, 8).equals("ustar") && header[MAGIC_AT + 5] == 0;
        String prefix = isPosix ? text(header, PREFIX_AT, PREFIX_LENGTH) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    /** The next header, null at the end: an empty block, or the end of the stream between two entries. */
    private byte @Nullable [] header() throws IOException {
        byte[] block = in.readNBytes(BLOCK);
        position += block.length;
        if (block.length == 0) {
            return null;
        }
        if (block.length < BLOCK) {
            throw truncated();
        }
        long sum = 0;
        boolean isEmpty = true;
        for (int i = 0; i < BLOCK; i++) {
            boolean isOfChecksum = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_LENGTH;
            sum += isOfChecksum ? ' ' : block[i] & 0xFF;
            isEmpty &= block[i] == 0;
        }
        if (isEmpty) {
            return null;
        }
        if (sum != number(block, CHECKSUM_AT, CHECKSUM_LENGTH)) {
            throw new UnreadablePackageException("no tar archive, or a damaged one: the checksum of the header at byte "
                    + (position - BLOCK) + " is wrong");
        }
        return block;
    }

    /** The content of an extended header. */
    private byte[] content(long size) throws IOException {
        if (size > budget.limits().manifestBytesMax()) {
            throw new UnreadablePackageException("an extended header of the archive has " + size
                    + " bytes (expected at most " + budget.limits().manifestBytesMax() + ")");
        }
        return exactly((int) size);
    }

    private byte[] exactly(int size) throws IOException {
        byte[] content = in.readNBytes(size);
        position += content.length;
        unread -= content.length;
        if (content.length < size) {
            throw truncated();
        }
        return content;
    }

    private void pass(long count) throws IOException {
        try {
            in.skipNBytes(count);
        } catch (EOFException end) {
            throw truncated();
        }
        position += count;
        unread = 0;
    }

    private static UnreadablePackageException truncated() {
        return new UnreadablePackageException("the archive ends within an entry");
    }

    private static long padded(long size) {
        return Math.addExact(size, (BLOCK - size % BLOCK) % BLOCK);
    }

    /** Records of a pax header: a length in digits, a space, {@code key=value} and a line feed. Keeps those that are used. */
    private static void readRecords(byte[] content, Map<String, String> into) {
        int at = 0;
        while (at < content.length) {
            int space = at;
            while (space < content.length && content[space] != ' ') {
                space++;
            }
            long length = decimal(new String(content, at, space - at, UTF_8));
            if (length <= space - at + 1 || length > content.length - at) {
                throw malformed("an extended header");
            }
            String entry = new String(content, space + 1, (int) length - (space + 1 - at) - 1, UTF_8);
            int equals = entry.indexOf('=');
            if (equals < 0) {
                throw malformed("an extended header");
            }
            String key = entry.substring(0, equals);
            if (key.startsWith(SPARSE)) {
                into.put(SPARSE, "");
            } else if (key.equals("path") || key.equals("size")) {
                into.put(key, entry.substring(equals + 1));
            }
            at += (int) length;
        }
    }

    /** Octal digits between spaces, or a binary number if the first bit is set, as GNU writes large ones. */
    private static long number(byte[] header, int at, int length) {
        if ((header[at] & 0x80) != 0) {
            return binary(header, at, length);
        }
        String digits = text(header, at, length).strip();
        try {
            return digits.isEmpty() ? 0 : notNegative(Long.parseLong(digits, 8));
        } catch (NumberFormatException notOctal) {
            throw malformed("a header's number");
        }
    }

    private static long binary(byte[] header, int at, int length) {
        long value = header[at] & 0x7F;
        for (int i = at + 1; i < at + length; i++) {
            if (value > Long.MAX_VALUE >> 8) {
                throw malformed("a header's number");
            }
            value = (value << 8) | (header[i] & 0xFF);
        }
        return notNegative(value);
    }

    private static long decimal(String digits) {
        try {
            return notNegative(Long.parseLong(digits));
        } catch (NumberFormatException notDecimal) {
            throw malformed("an extended header");
        }
    }

    private static long notNegative(long number) {
        if (number < 0 || number > Long.MAX_VALUE - BLOCK) {
            throw malformed("a size");
        }
        return number;
    }

    private static UnreadablePackageException malformed(String what) {
        return new UnreadablePackageException("no tar archive, or a damaged one: " + what + " is malformed");
    }

    /** The text up to the first NUL. */
    private static String text(byte[] bytes, int at, int length) {
        int end = at;
        while (end < at + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, UTF_8);
    }
}
