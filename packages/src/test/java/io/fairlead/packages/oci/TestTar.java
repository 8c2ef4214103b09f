package io.fairlead.packages.oci;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** A tar archive, entry by entry, with names that no other program would write. */
final class TestTar {
    private static final int BLOCK = 512;

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();

    TestTar file(String name, String content) {
        return file(name, content.getBytes(UTF_8));
    }

    TestTar file(String name, byte[] content) {
        return entry(name, '0', content);
    }

    TestTar directory(String name) {
        return entry(name, '5', new byte[0]);
    }

    TestTar link(String name) {
        return entry(name, '2', new byte[0]);
    }

    /** The record of a pax header for the entry that follows. */
    TestTar pax(String key, String value) {
        String record = " " + key + "=" + value + "\n";
        int length = record.length();
        while ((length + record).length() != length) {
            length = (length + record).length();
        }
        String text = length + record;
        return entry("PaxHeaders.0/x", 'x', text.getBytes(UTF_8));
    }

    TestTar gnuLongName(String name) {
        return entry("././@LongLink", 'L', (name + "\0").getBytes(UTF_8));
    }

    TestTar entry(String name, char type, byte[] content) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 124, "%011o".formatted(content.length));
        Arrays.fill(header, 148, 156, (byte) ' ');
        header[156] = (byte) type;
        put(header, 257, "ustar");
        put(header, 263, "00");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xFF;
        }
        put(header, 148, "%06o".formatted(sum));
        header[154] = 0;
        archive.writeBytes(header);
        archive.writeBytes(Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK));
        return this;
    }

    byte[] bytes() {
        byte[] entries = archive.toByteArray();
        return Arrays.copyOf(entries, entries.length + 2 * BLOCK);
    }

    static byte[] gzip(byte[] content) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
