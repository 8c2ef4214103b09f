package io.fairlead.credentials.kubeconfig;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import org.jspecify.annotations.Nullable;

/**
 * A user's kubeconfig on disk: replaced atomically, and never while kubectl changes it (client-go's {@code clientcmd}
 * locks by a file of the same name with the suffix {@code .lock}).
 */
public final class KubeconfigFile {
    /** The most links that Linux follows. */
    private static final int LINKS_MAX = 40;

    private final Path file;

    /** A file that may be missing; a link is followed and kept. */
    public KubeconfigFile(Path file) throws KubeconfigException {
        try {
            this.file = Files.exists(file) ? file.toRealPath() : target(file.toAbsolutePath());
        } catch (IOException unreadable) {
            throw problem(file, "cannot be read", unreadable);
        }
    }

    /** The target of links of which the last one is dangling. */
    private static Path target(Path file) throws IOException, KubeconfigException {
        Path target = file;
        for (int followed = 0; Files.isSymbolicLink(target); followed++) {
            if (followed == LINKS_MAX) {
                throw new KubeconfigException(file + ": links lead in a circle; nothing was changed");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /** Maps its text, empty for a missing file, to a new one. */
    @FunctionalInterface
    public interface Edit<E extends Exception> {
        String apply(String text) throws KubeconfigException, E;
    }

    /**
     * Edits it; only its owner can read it afterwards.
     *
     * @throws KubeconfigException if it cannot be read or written, or another program is changing it; it is unchanged
     *     then
     */
    public <E extends Exception> void update(Edit<E> edit) throws KubeconfigException, E {
        requireWritable();
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        take(lock);
        try {
            PrivateFiles.writeSecret(file, edit.apply(read()));
        } catch (IOException unwritable) {
            throw problem(file, "cannot be written", unwritable);
        } finally {
            release(lock);
        }
    }

    private String read() throws KubeconfigException {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException unreadable) {
            throw problem(file, "cannot be read", unreadable);
        }
    }

    private void requireWritable() throws KubeconfigException {
        if (Files.isDirectory(file)) {
            throw new KubeconfigException(file + ": is a folder (expected a kubeconfig)");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new KubeconfigException(file + ": is not a regular file (expected a kubeconfig)");
        }
        if (Files.exists(file) && (!Files.isWritable(file) || isMarkedReadOnly())) {
            throw new KubeconfigException(file + ": is read-only; nothing was changed");
        }
    }

    /** A file that nobody may write stays unchanged, even for root. */
    private boolean isMarkedReadOnly() throws KubeconfigException {
        try {
            @Nullable PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            return posix != null && !posix.readAttributes().permissions().contains(PosixFilePermission.OWNER_WRITE);
        } catch (IOException unreadable) {
            throw problem(file, "cannot be read", unreadable);
        }
    }

    private void take(Path lock) throws KubeconfigException {
        try {
            Files.createFile(lock);
        } catch (FileAlreadyExistsException held) {
            throw new KubeconfigException(file + ": another program is changing it (" + lock
                    + " exists); nothing was changed. If no program is," + " it was left over: remove " + lock);
        } catch (IOException unwritable) {
            throw problem(
                    lock,
                    "this lock of the kubeconfig cannot be made: does its folder exist, and may you write there?",
                    unwritable);
        }
    }

    private static void release(Path lock) throws KubeconfigException {
        try {
            Files.deleteIfExists(lock);
        } catch (IOException unwritable) {
            throw problem(lock, "cannot be removed", unwritable);
        }
    }

    private static KubeconfigException problem(Path path, String what, IOException cause) {
        return new KubeconfigException(path + ": " + what + " (" + FileFault.of(cause) + "); nothing was changed");
    }
}
