package io.fairlead.hosted.archive;

import io.fairlead.schema.json.ObjectName;
import io.fairlead.storage.RevisionedStore.Entry;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an archive as its bytes come. What it hands out counts only once {@link #end} has found the whole as it was written.
 *
 * <p>Holds at most one line.
 */
public final class ArchiveReader {
    private static final int LINE_FEED = '\n';

    private final ArchiveHeader.Content content;
    private final BiConsumer<Entry, ObjectName> entries;
    private final MessageDigest digest = ArchiveLine.sha256();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable ArchiveHeader header;
    private boolean isComplete;
    private long lines;
    private long found;
    private String lastKey = "";

    /**
     * Reads an archive of one content.
     *
     * @param entries receives each entry with the name of the object in it, in order
     */
    public ArchiveReader(ArchiveHeader.Content content, BiConsumer<Entry, ObjectName> entries) {
        this.content = content;
        this.entries = entries;
    }

    /** What the first line says, once it was read. */
    public Optional<ArchiveHeader> header() {
        return Optional.ofNullable(header);
    }

    /** How many entries were handed out. */
    public long count() {
        return found;
    }

    /**
     * Reads more bytes.
     *
     * @throws ArchiveException if they are not those of an archive of this content
     */
    public void accept(byte[] bytes, int offset, int length) {
        int begin = offset;
        for (int at = offset; at < offset + length; at++) {
            if (bytes[at] == LINE_FEED) {
                keep(bytes, begin, at - begin);
                begin = at + 1;
                read(line.toByteArray());
                line.reset();
            }
        }
        keep(bytes, begin, offset + length - begin);
    }

    /**
     * Says that these were all bytes.
     *
     * @throws ArchiveException if the last line has not come
     */
    public void end() {
        if (!isComplete) {
            throw new ArchiveException("it ends in line " + (lines + 1)
                    + ", before its last one, which has the sum of all (it was cut off, or not written to its end)");
        }
        if (line.size() > 0) {
            throw behindTheSum();
        }
    }

    private void keep(byte[] bytes, int offset, int length) {
        if (length > ArchiveLine.BYTES_MAX - line.size()) {
            throw new ArchiveException("line " + (lines + 1) + ": longer than " + ArchiveLine.BYTES_MAX + " bytes");
        }
        line.write(bytes, offset, length);
    }

    private void read(byte[] text) {
        lines++;
        if (isComplete) {
            throw behindTheSum();
        }
        if (header == null) {
            readHeader(text);
        } else if (ArchiveLine.isLast(text)) {
            complete(ArchiveLine.json(text, lines));
            return;
        } else {
            ArchiveLine entry = ArchiveLine.read(text, lines);
            requireNext(entry.entry());
            entries.accept(entry.entry(), entry.object());
            found++;
        }
        digest.update(text);
        digest.update((byte) LINE_FEED);
    }

    private static ArchiveException behindTheSum() {
        return new ArchiveException("something follows the line with the sum (expected the end)");
    }

    private void readHeader(byte[] text) {
        ArchiveHeader read = ArchiveHeader.of(text);
        if (read.content() != content) {
            throw new ArchiveException(
                    "it is the archive of a " + read.content().toString().toLowerCase(Locale.ROOT)
                            + " (expected that of a " + content.toString().toLowerCase(Locale.ROOT) + ")");
        }
        header = read;
    }

    /** Keys ascend, as the writer reads them, so that none is there twice. */
    private void requireNext(Entry entry) {
        if (entry.key().compareTo(lastKey) <= 0) {
            throw new ArchiveException("line " + lines + ": key \"" + ArchiveException.shown(entry.key())
                    + "\" does not follow \"" + ArchiveException.shown(lastKey) + "\" (expected ascending keys)");
        }
        long newest = Objects.requireNonNull(header).revision();
        if (entry.revision() > newest) {
            throw new ArchiveException(
                    "line " + lines + ": revision " + entry.revision() + " is above that of the archive, " + newest);
        }
        lastKey = entry.key();
    }

    private void complete(JsonNode last) {
        long expected = last.path(ArchiveLine.ENTRIES).asLong(-1);
        if (expected != found) {
            throw new ArchiveException(
                    "it has " + found + " entries (expected " + expected + ", as its last line says)");
        }
        String sum = HexFormat.of().formatHex(digest.digest());
        String said = last.path(ArchiveLine.SUM).asString("");
        if (!sum.equals(said)) {
            throw new ArchiveException("its SHA-256 is " + sum + " (expected " + ArchiveException.shown(said)
                    + ", as its last line says): it was changed");
        }
        isComplete = true;
    }
}
