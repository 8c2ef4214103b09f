package io.fairlead.credentials.pki;

import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/** A certificate or key that cannot be used; the message names its file. */
public final class PkiException extends Exception {
    private static final long serialVersionUID = 1L;

    public PkiException(Path file, String message) {
        super(file + ": " + message);
    }

    /** For a file that cannot be read or written; the exception may name another file. */
    PkiException(Path file, IOException cause) {
        super(named(file, cause) + ": " + FileFault.of(cause), cause);
    }

    /** For a file with unusable content. */
    PkiException(Path file, GeneralSecurityException cause) {
        super(file + ": cannot be used (expected a PEM certificate, and its PEM key beside it)", cause);
    }

    private static String named(Path file, IOException cause) {
        return cause instanceof FileSystemException failure && failure.getFile() != null
                ? failure.getFile()
                : file.toString();
    }
}
