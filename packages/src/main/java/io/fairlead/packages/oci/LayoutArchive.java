package io.fairlead.packages.oci;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a tar archive, read from where they are in it. */
final class LayoutArchive implements LayoutFiles {
    private static final int BUFFER = 64 * 1024;

    private final FileChannel archive;
    private final Map<String, TarEntry> files = new HashMap<>();

    private LayoutArchive(FileChannel archive) {
        this.archive = archive;
    }

    static LayoutArchive open(Path path, PackageLimits limits) throws IOException {
        LayoutArchive opened = new LayoutArchive(FileChannel.open(path));
        try {
            opened.list(limits);
            return opened;
        } catch (IOException | RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    @Override
    public Optional<InputStream> open(String path) {
        TarEntry file = files.get(path);
        return file == null ? Optional.empty() : Optional.of(new BufferedInputStream(new Section(file), BUFFER));
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }

    private void list(PackageLimits limits) throws IOException {
        refuseGzip();
        TarReader reader = new TarReader(Channels.newInputStream(archive), new ReadingBudget(limits));
        for (@Nullable TarEntry entry = reader.next(); entry != null; entry = reader.next()) {
            if (entry.type() == TarEntry.Type.FILE && files.put(entry.path(), entry) != null) {
                throw new UnreadablePackageException(entry.path() + " is there twice (expected once)");
            }
        }
    }

    private void refuseGzip() throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(2);
        if (archive.read(magic, 0) == 2 && magic.getShort(0) == 0x1F8B) {
            throw new UnreadablePackageException("compressed by gzip (expected a plain tar archive: gunzip it first)");
        }
    }

    /** One entry's bytes. */
    private final class Section extends InputStream {
        private long at;
        private final long end;

        Section(TarEntry entry) {
            this.at = entry.offset();
            this.end = entry.offset() + entry.size();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = (int) Math.min(length, end - at);
            if (count == 0) {
                return length == 0 ? 0 : -1;
            }
            int read = archive.read(ByteBuffer.wrap(into, offset, count), at);
            at += Math.max(0, read);
            return read;
        }
    }
}
