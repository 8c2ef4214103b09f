package io.fairlead.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Creates small files and folders that survive a loss of power. */
final class DurableFiles {
    private DurableFiles() {}

    /**
     * Creates a folder if it is missing, and syncs every folder on its path: a file is only as durable as its path, and
     * earlier entries may never have been synced.
     *
     * @throws IOException if it cannot be created, or the entry of a folder created here cannot be synced
     */
    static void createFolder(Path folder, Disk disk) throws IOException {
        Path wanted = folder.toAbsolutePath();
        Path older = wanted;
        while (older != null && !Files.exists(older)) {
            older = older.getParent();
        }
        Files.createDirectories(wanted);
        for (Path parent = wanted.getParent(); parent != null; parent = parent.getParent()) {
            try {
                disk.syncFolder(parent);
            } catch (IOException e) {
                if (older == null || parent.startsWith(older)) {
                    throw e;
                }
                // Not readable, or on a file system that cannot sync folders.
                return;
            }
        }
    }

    /**
     * Writes a line to a temporary file and renames it: a crash leaves the old file, the new one or none, but never a
     * part.
     */
    static void write(Path folder, String name, String line, Disk disk) throws IOException {
        Path aside = Files.createTempFile(folder, name, ".new");
        disk.writeFile(aside, (line + "\n").getBytes(StandardCharsets.UTF_8));
        Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        disk.syncFolder(folder);
    }
}
