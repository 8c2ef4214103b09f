package io.fairlead.gateway.audit;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.model.FileFault;
import io.fairlead.model.Repetitions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the audit log, which only its owner can read. A file that has become large gets another name, with the time,
 * and a new one takes its place ({@link EarlierFiles}); what is no regular file, such as standard output, stays as it is.
 *
 * <p>Threads: one at a time.
 */
final class AuditFile implements AuditLog.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final String STANDARD_OUTPUT = "-";
    private static final byte[] LINE_END = {'\n'};

    private final @Nullable Path file;
    private final long bytesMax;
    private final EarlierFiles earlier;
    private final InstantSource clock;
    private FileOutputStream out;
    private boolean isRegular;
    private long size;

    /** Whether the last line may be incomplete: of what cannot be cut, or of an earlier process. */
    private boolean isTorn;

    private AuditFile(
            @Nullable Path file, long bytesMax, EarlierFiles earlier, InstantSource clock, FileOutputStream out) {
        this.file = file;
        this.bytesMax = bytesMax;
        this.earlier = earlier;
        this.clock = clock;
        this.out = out;
    }

    /**
     * Opens it, and makes it and its folder where they are missing.
     *
     * @param path {@code -} is standard output
     * @param bytesMax after which another file is begun; 0 for never
     */
    static AuditFile open(Path path, long bytesMax, EarlierFiles earlier, InstantSource clock) throws IOException {
        if (path.getFileName() != null && path.getFileName().toString().equals(STANDARD_OUTPUT)) {
            return new AuditFile(null, 0, earlier, clock, new FileOutputStream(FileDescriptor.out));
        }
        AuditFile opened = new AuditFile(path, bytesMax, earlier, clock, opened(path));
        opened.measure(path);
        return opened;
    }

    private static FileOutputStream opened(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null && Files.notExists(folder)) {
            PrivateFiles.makeFolder(folder);
        }
        if (Files.notExists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(EnumSet.of(OWNER_READ, OWNER_WRITE)));
        }
        return new FileOutputStream(path.toFile(), true);
    }

    private void measure(Path path) throws IOException {
        isRegular = Files.isRegularFile(path);
        size = isRegular ? Files.size(path) : 0;
        isTorn = size > 0 && !endsALine(path);
    }

    /** A process that was killed may have left a part of a line. */
    private static boolean endsALine(Path path) throws IOException {
        try (SeekableByteChannel in = Files.newByteChannel(path)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            in.position(in.size() - 1).read(last);
            return last.get(0) == LINE_END[0];
        } catch (AccessDeniedException writtenAlone) {
            return true;
        }
    }

    @Override
    public void write(byte[] lines, int length) throws IOException {
        if (isRegular && bytesMax > 0 && size > 0 && size + length > bytesMax) {
            beginAnother();
        }
        try {
            if (isTorn) {
                out.write(LINE_END);
                size += LINE_END.length;
                isTorn = false;
            }
            out.write(lines, 0, length);
            size += length;
        } catch (IOException e) {
            restore();
            throw e;
        }
    }

    /** A part of a line would spoil the next one. */
    private void restore() {
        try {
            if (isRegular) {
                out.getChannel().truncate(size);
            } else {
                isTorn = true;
            }
        } catch (IOException kept) {
            isTorn = true;
        }
    }

    /** If that is not possible the file just grows on. */
    private void beginAnother() throws IOException {
        Path path = file;
        if (path == null) {
            return;
        }
        try {
            if (Files.exists(path)) { // otherwise it was moved before, and there was no room for another one
                Files.move(path, earlier.nameAt(clock.instant()));
            }
        } catch (IOException kept) {
            TOLD.next("rename")
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("reason", FileFault.of(kept))
                            .addKeyValue("leftOut", leftOut)
                            .log("No other file can be begun for the audit log, which grows on"));
            return;
        }
        FileOutputStream next = opened(path);
        FileOutputStream last = out;
        out = next;
        measure(path);
        last.close();
        earlier.tidy();
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            out.close();
        }
        earlier.close();
    }
}
