package io.fairlead.gateway.audit;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.model.FileFault;
import io.fairlead.model.Repetitions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The earlier files of the audit log, beside it, named as those of kube-apiserver: {@code audit-2026-01-31T23-59-59.000.log}.
 * Those that are too many or too old are removed, on a thread of its own, which also compresses the others if that is asked
 * for.
 *
 * <p>Threads: any.
 */
final class EarlierFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierFiles.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss.SSS").withZone(ZoneOffset.UTC);
    private static final String COMPRESSED = ".gz";
    private static final String UNFINISHED = ".tmp";
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path folder;
    private final String prefix;
    private final String suffix;
    private final Kept kept;
    private final InstantSource clock;

    /** One tidies, and one more time is remembered. */
    private final ThreadPoolExecutor tidying = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            Thread.ofPlatform().daemon().name("audit-log-files").factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    /**
     * Which are kept.
     *
     * @param countMax the newest; 0 for all
     * @param daysMax by the times in their names; 0 for ever
     * @param isCompressed whether they are compressed
     */
    record Kept(int countMax, int daysMax, boolean isCompressed) {}

    /** @param file the audit log */
    EarlierFiles(Path file, Kept kept, InstantSource clock) {
        Path parent = file.toAbsolutePath().getParent();
        this.folder = parent == null ? Path.of("/") : parent;
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        this.prefix = (dot < 0 ? name : name.substring(0, dot)) + "-";
        this.suffix = dot < 0 ? "" : name.substring(dot);
        this.kept = kept;
        this.clock = clock;
    }

    /** The name for what ends now. */
    Path nameAt(Instant time) {
        return folder.resolve(prefix + TIME.format(time) + suffix);
    }

    /** Removes and compresses, soon. */
    void tidy() {
        tidying.execute(this::tidyNow);
    }

    /** The same at once; a failure is logged. */
    void tidyNow() {
        try {
            List<Earlier> files = all();
            Instant oldest = clock.instant().minus(Duration.ofDays(kept.daysMax()));
            // The oldest first: what is removed makes the room that compressing needs.
            for (int i = files.size() - 1; i >= 0; i--) {
                Earlier one = files.get(i);
                boolean isTooMany = kept.countMax() > 0 && i >= kept.countMax();
                boolean isTooOld = kept.daysMax() > 0 && one.time().isBefore(oldest);
                tidy(one, isTooMany || isTooOld);
            }
        } catch (IOException e) {
            tell(e);
        }
    }

    /** One that cannot be removed or compressed keeps no other from it. */
    private void tidy(Earlier one, boolean isRemoved) {
        try {
            if (isRemoved) {
                Files.deleteIfExists(one.file());
            } else if (kept.isCompressed() && !one.isCompressed()) {
                compress(one.file());
            }
        } catch (IOException e) {
            tell(e);
        }
    }

    private static void tell(IOException failure) {
        TOLD.next("tidy")
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("reason", FileFault.of(failure))
                        .addKeyValue("leftOut", leftOut)
                        .log("Earlier files of the audit log could not be removed or compressed"));
    }

    /** Ends the work; a file that is being compressed stays as it was. */
    @Override
    public void close() {
        tidying.shutdownNow();
    }

    private record Earlier(Path file, Instant time, boolean isCompressed) {}

    /** The newest first. */
    private List<Earlier> all() throws IOException {
        List<Earlier> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> earlier(file).ifPresent(found::add));
        }
        found.sort(Comparator.comparing(Earlier::time).reversed());
        return found;
    }

    private Optional<Earlier> earlier(Path file) {
        String name = String.valueOf(file.getFileName());
        boolean isCompressed = name.endsWith(COMPRESSED);
        String plain = isCompressed ? name.substring(0, name.length() - COMPRESSED.length()) : name;
        if (!plain.startsWith(prefix)
                || !plain.endsWith(suffix)
                || plain.length() <= prefix.length() + suffix.length()) {
            return Optional.empty();
        }
        try {
            String time = plain.substring(prefix.length(), plain.length() - suffix.length());
            return Optional.of(
                    new Earlier(file, LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC), isCompressed));
        } catch (DateTimeParseException another) {
            return Optional.empty();
        }
    }

    /** Beside it first, so that no part is ever taken for the whole. */
    private static void compress(Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + COMPRESSED + UNFINISHED);
        Files.deleteIfExists(unfinished);
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        try (InputStream in = Files.newInputStream(file);
                FileChannel out = FileChannel.open(
                        unfinished,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(mode));
                GZIPOutputStream packed = new GZIPOutputStream(Channels.newOutputStream(out), BUFFER_BYTES)) {
            Files.setPosixFilePermissions(unfinished, mode); // the umask may have taken some away
            in.transferTo(packed);
            packed.finish();
            out.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
        Files.move(
                unfinished,
                file.resolveSibling(file.getFileName() + COMPRESSED),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
        PrivateFiles.syncFolder(
                Objects.requireNonNull(unfinished.toAbsolutePath().getParent()));
        Files.delete(file);
    }
}
