package io.fairlead.ittests;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A small file system in memory, where this user may mount one. */
final class SmallDisk implements AutoCloseable {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);
    private static final int BLOCK_BYTES = 1 << 20;

    private final Path folder;
    private final Output mounted;

    private SmallDisk(Path folder, Output mounted) {
        this.folder = folder;
        this.mounted = mounted;
    }

    /** Mounts it at an existing folder, or leaves that as it is. */
    static SmallDisk mount(Path folder, int mebibytes) {
        return new SmallDisk(
                folder, command("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "none", folder.toString()));
    }

    boolean isMounted() {
        return mounted.exitCode() == 0;
    }

    /** What mounting it printed. */
    Output mounted() {
        return mounted;
    }

    /** Fills it with one file but for so many bytes, rounded to whole mebibytes. */
    Path fill(long bytesLeft) throws IOException {
        long bytes = Files.getFileStore(folder).getUsableSpace() - bytesLeft;
        Path filler = folder.resolve("filler");
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = Files.newOutputStream(filler)) {
            for (long written = 0; written < bytes; written += block.length) {
                out.write(block);
            }
        }
        return filler;
    }

    /** Fills it to its last byte. */
    Path fill() throws IOException {
        Path filler = folder.resolve("filler");
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            return filler;
        }
    }

    @Override
    public void close() {
        if (isMounted()) {
            var _ = command("umount", folder.toString());
        }
    }

    private static Output command(String... command) {
        return Output.of(Checkout.module(), Map.of(), "", COMMAND_TIMEOUT, List.of(command));
    }
}
