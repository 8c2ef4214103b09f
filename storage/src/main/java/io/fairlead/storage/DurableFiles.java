package io.fairlead.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Makes small files and folders that are still there after a loss of power. */
final class DurableFiles {
    private DurableFiles() {}

    /**
     * Makes a folder if it is not there, and syncs every folder on the way to it: a file is as durable as the entries that
     * lead to it, and those who made them may have lost power before they were synced.
     *
     * @throws IOException if it cannot be made, or the entry of a folder made here cannot be synced
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
                // Not ours to read, or of a file system that syncs no folders.
                return;
            }
        }
    }

    /** Writes a line into a file, aside and renamed: a crash leaves the old one, the new one or none, but whole. */
    static void write(Path folder, String name, String line, Disk disk) throws IOException {
        Path aside = Files.createTempFile(folder, name, ".new");
        disk.writeFile(aside, (line + "\n").getBytes(StandardCharsets.UTF_8));
        Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        disk.syncFolder(folder);
    }
}
