package io.fairlead.gateway.pki;

import java.nio.file.Path;

/** A certificate or key that cannot be used; the message names its file. */
public final class PkiException extends Exception {
    private static final long serialVersionUID = 1L;

    public PkiException(Path file, String message) {
        super(file + ": " + message);
    }

    public PkiException(Path file, Throwable cause) {
        super(file + ": " + cause.getMessage(), cause);
    }
}
