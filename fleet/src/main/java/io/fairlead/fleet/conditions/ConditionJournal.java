package io.fairlead.fleet.conditions;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one record in a file: each is appended as a line, and the file is written anew with what is still kept
 * once it has grown to twice that. A line that cannot be read, as the last one after a crash, is passed over; a file that
 * cannot be read stays as it is, and nothing is stored then.
 *
 * <p>Threads: any, one at a time.
 */
final class ConditionJournal implements AutoCloseable {
    private static final long APPENDED_BYTES_MIN = 1024L * 1024;
    private static final int FIELDS = 11;

    /** After the whole file could not be written: a full disk must not have it tried for each row. */
    private static final Duration RETRY = Duration.ofSeconds(10);

    private static final String NEW = ".new";

    private final Path folder;
    private final Path file;
    private final InstantSource clock;
    private @Nullable FileChannel channel;
    private Instant retryAt = Instant.MIN;
    private long wholeBytes;
    private long appendedBytes;

    /** Whether what was stored before is in the store: a file that could not be read is not overwritten. */
    private boolean isRead;

    /** Another one may write the file by then: threads of a record that ended must not. */
    private boolean isClosed;

    ConditionJournal(Path folder, String name, InstantSource clock) {
        this.folder = folder;
        this.file = folder.resolve(name);
        this.clock = clock;
    }

    /** Whether a file is that of a journal which is not among some names. */
    static boolean isLeftOver(Path file, Set<String> names) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.new$", "");
        return name.endsWith(".log") && !names.contains(name);
    }

    /** Restores what was stored, and takes rows from then on. */
    synchronized void open(ConditionStore store) throws IOException {
        isRead = Files.notExists(file);
        PrivateFiles.makeFolder(folder);
        if (!isRead) {
            restore(store);
            isRead = true;
        }
        write(store);
    }

    /** A last line without its end is a part of one. */
    private void restore(ConditionStore store) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, ISO_8859_1)) {
            StringBuilder line = new StringBuilder();
            for (int next = lines.read(); next >= 0; next = lines.read()) {
                if (next == '\n') {
                    row(line.toString()).ifPresent(store::restore);
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        }
    }

    /** Stores rows that were added to a store, but for those that it has forgotten meanwhile. */
    synchronized void append(List<ConditionStore.Added> rows, ConditionStore store) throws IOException {
        if (rows.isEmpty() || isClosed) {
            return;
        }
        FileChannel open = channel;
        if (open == null || appendedBytes > Math.max(wholeBytes, APPENDED_BYTES_MIN)) {
            if (!clock.instant().isBefore(retryAt)) {
                write(store); // has them, too
            }
            return;
        }
        try {
            for (ConditionStore.Added row : rows) {
                if (!store.of(row.object()).isEmpty()) {
                    appendedBytes += write(open, row);
                }
            }
        } catch (IOException failure) {
            drop(); // the next rows write it anew
            throw failure;
        }
    }

    /** Writes what is kept, and nothing else. */
    synchronized void rewrite(ConditionStore store) throws IOException {
        if (!isClosed) {
            write(store);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        drop();
    }

    private void drop() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException ignored) {
                // nothing of it is used any more
            }
        }
    }

    private void write(ConditionStore store) throws IOException {
        if (!isRead) {
            throw new IOException(file + " could not be read and is kept as it is (expected a restart once it can)");
        }
        drop();
        Path whole = file.resolveSibling(file.getFileName() + NEW);
        try {
            wholeBytes = writeWhole(whole, store);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            channel = FileChannel.open(file, StandardOpenOption.APPEND);
            appendedBytes = 0;
        } catch (IOException failure) {
            retryAt = clock.instant().plus(RETRY);
            Files.deleteIfExists(whole);
            throw failure;
        }
    }

    private static long writeWhole(Path whole, ConditionStore store) throws IOException {
        long bytes = 0;
        try (FileChannel out = FileChannel.open(
                whole, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (ConditionStore.Added row : store.all()) {
                bytes += write(out, row);
            }
            out.force(true);
        }
        return bytes;
    }

    private static long write(FileChannel out, ConditionStore.Added row) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((line(row) + "\n").getBytes(UTF_8));
        long bytes = line.remaining();
        while (line.hasRemaining()) {
            out.write(line);
        }
        return bytes;
    }

    /** Fields between tabs, of printable ASCII alone. */
    static String line(ConditionStore.Added added) {
        ConditionRow row = added.row();
        ConditionClaim claim = row.claim();
        return String.join(
                "\t",
                plain(added.object().cluster().value()),
                plain(added.object().namespace()),
                plain(added.object().name()),
                plain(added.uid()),
                plain(added.condition()),
                row.observed().toString(),
                row.verdict().name(),
                plain(claim.status()),
                plain(claim.stated()),
                plain(claim.resourceVersion()),
                plain(claim.manager()));
    }

    static Optional<ConditionStore.Added> row(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS || !ClusterName.isValid(fields[0])) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ConditionStore.Added(
                    new ObjectKey(new ClusterName(fields[0]), fields[1], fields[2]),
                    fields[3],
                    fields[4],
                    new ConditionRow(
                            Instant.parse(fields[5]),
                            ConditionVerdict.valueOf(fields[6]),
                            new ConditionClaim(fields[7], fields[8], fields[9], fields[10]))));
        } catch (DateTimeException | IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static String plain(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
