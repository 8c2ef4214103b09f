package io.fairlead.gateway;

import io.fairlead.config.FileFault;
import io.fairlead.gateway.pki.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Everything that Fairlead writes, held by one process at a time. */
final class DataDirectory implements AutoCloseable {
    private final Path folder;
    private final FileChannel lockFile;

    private DataDirectory(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /** Makes the folder if it is missing and takes hold of it. */
    static DataDirectory open(Path folder) throws StartFailure {
        try {
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
                    "data directory " + folder + " cannot be used (" + FileFault.of(unusable) + ")",
                    "choose one that can be written with --data-dir");
        }
    }

    Path store() {
        return folder.resolve("store");
    }

    Path pki() {
        return folder.resolve("pki");
    }

    Path adminKubeconfig() {
        return folder.resolve("admin.kubeconfig");
    }

    /** Writes the URL in use, for scripts. */
    void writeEndpoint(String url) throws IOException {
        PrivateFiles.writePublic(folder.resolve("endpoint"), url + "\n");
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
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
