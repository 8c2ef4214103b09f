package io.fairlead.gateway;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.fleet.exclusive.KeySecret;
import io.fairlead.model.FileFault;
import io.fairlead.storage.StoreOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** The directory with everything that Fairlead writes, locked by one process at a time. */
final class DataDirectory implements AutoCloseable {
    private static final String STORE = "store";
    private static final long MIB = 1024 * 1024;

    /** What a store begins with: above all the database's library. */
    private static final long NEW_BYTES = 32 * MIB;

    private final Path folder;
    private final FileChannel lockFile;
    private final boolean isNew;

    private DataDirectory(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.isNew = Files.notExists(store());
    }

    /**
     * Makes the folder if it is missing and takes hold of it.
     *
     * @param limits of the store that it has
     */
    static DataDirectory open(Path folder, StoreOptions limits) throws StartFailure {
        try {
            requireRoom(folder, limits.diskReserveBytes() + NEW_BYTES);
            PrivateFiles.makeFolder(folder);
            FileChannel lockFile =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isTaken(lockFile)) {
                lockFile.close();
                throw new StartFailure(
                        "data directory " + folder + " is in use by another process",
                        "stop that one, or choose another directory with --data-dir");
            }
            return new DataDirectory(folder, lockFile);
        } catch (IOException unusable) {
            throw new StartFailure(
                    "data directory " + folder + fault(folder, unusable),
                    "choose one that can be written with --data-dir");
        }
    }

    /** Whether it was empty when opened. */
    boolean isNew() {
        return isNew;
    }

    Path store() {
        return folder.resolve(STORE);
    }

    /**
     * An empty folder in which a store can be made, which {@link #takeStore} puts in its place.
     *
     * @throws StartFailure if there is a store already
     */
    Path prepareStore() throws StartFailure {
        removeUnfinishedStore();
        if (!isNew) {
            throw new StartFailure(
                    "data directory " + folder + " has a store (expected none)",
                    "name another one with --data-dir, or move " + store() + " away");
        }
        return unfinishedStore();
    }

    /** Throws if a restoration was begun here and not finished: a new store in its place would be an empty fleet. */
    void requireNoUnfinishedStore() throws StartFailure {
        if (isNew && Files.exists(unfinishedStore())) {
            throw new StartFailure(
                    "data directory " + folder + " has an unfinished store (expected one that was restored to its end)",
                    "'fairlead store restore' again, or remove " + unfinishedStore() + " for a new one");
        }
    }

    /** Removes what {@link #prepareStore} answered, if it is there. */
    void removeUnfinishedStore() throws StartFailure {
        try {
            removeTree(unfinishedStore());
        } catch (IOException e) {
            throw new StartFailure(unfinishedStore() + " cannot be removed (" + FileFault.of(e) + ")", "");
        }
    }

    private Path unfinishedStore() {
        return folder.resolve(STORE + ".unfinished");
    }

    /** Makes what {@link #prepareStore} answered, which is complete now, the store. */
    void takeStore(Path unfinished) throws StartFailure {
        try {
            Files.move(unfinished, store(), StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel entries = FileChannel.open(folder)) {
                entries.force(true);
            }
        } catch (IOException e) {
            throw new StartFailure(unfinished + " cannot be moved to " + store() + " (" + FileFault.of(e) + ")", "");
        }
    }

    private static void removeTree(Path tree) throws IOException {
        if (Files.notExists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** What is observed of conditions. */
    Path conditions() {
        return folder.resolve("conditions");
    }

    /** The secret under which the keys of users' rules are hashed. */
    KeySecret keySecret() throws StartFailure {
        Path file = folder.resolve("exclusive-keys.secret");
        try {
            return KeySecret.open(file);
        } catch (IOException unusable) {
            throw new StartFailure(
                    file + " cannot be read (" + FileFault.of(unusable) + ")",
                    "restore it, or remove it: conflicts of ExclusiveKeys get other hashes then");
        }
    }

    Path pki() {
        return folder.resolve("pki");
    }

    Path adminKubeconfig() {
        return folder.resolve("admin.kubeconfig");
    }

    /** Writes the URL in use, for scripts, unless the file is up to date: a full disk may refuse writes. */
    void writeEndpoint(String url) throws IOException {
        Path file = folder.resolve("endpoint");
        String line = url + "\n";
        if (Files.notExists(file) || !Files.readString(file).equals(line)) {
            PrivateFiles.writePublic(file, line);
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }

    /** Before anything is made: a new store cannot be completed on a full disk. */
    private static void requireRoom(Path folder, long bytesMin) throws IOException, StartFailure {
        if (Files.exists(folder.resolve(STORE))) {
            return;
        }
        FileStore disk = Files.getFileStore(nearest(folder));
        if (disk.getTotalSpace() == 0) { // Not a disk, such as /proc: creating files there reports its own error.
            return;
        }
        long freeBytes = disk.getUsableSpace();
        if (freeBytes < bytesMin) {
            throw new StartFailure(
                    "data directory " + folder + ": the disk is full: " + freeBytes / MIB
                            + " MiB are free (expected at least " + bytesMin / MIB + " MiB for a new one)",
                    "make room, or choose another directory with --data-dir");
        }
    }

    private static String fault(Path folder, IOException unusable) {
        if (Files.exists(folder)) {
            return " cannot be used (" + FileFault.of(unusable) + owner(folder, unusable) + ")";
        }
        Path there = nearest(folder);
        String why = unusable instanceof NoSuchFileException && Files.isDirectory(there)
                ? "its file system takes no folders"
                : FileFault.of(unusable);
        return " cannot be made in " + there + " (" + why + ")";
    }

    /** Only its owner may change the mode of a folder (chmod(2)); empty if that is not the reason. */
    private static String owner(Path folder, IOException unusable) {
        if (!(unusable instanceof FileSystemException refused)
                || !"Operation not permitted".equals(refused.getReason())) {
            return "";
        }
        String whose = ": it must belong to the user who starts the server";
        try {
            return whose + ", and belongs to " + Files.getOwner(folder).getName();
        } catch (IOException | UnsupportedOperationException ownerUnknown) {
            return whose; // What to do is said all the same.
        }
    }

    /** The folder itself, or its nearest existing parent. */
    private static Path nearest(Path folder) {
        Path there = folder.toAbsolutePath();
        while (Files.notExists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    private static boolean isTaken(FileChannel lockFile) throws IOException {
        try {
            FileLock lock = lockFile.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException heldHere) {
            return true;
        }
    }
}
