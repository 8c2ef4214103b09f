package io.fairlead.packages.oci;

/**
 * A package that is refused; the message names the problem and what was expected, with both digests where two disagree.
 *
 * <p>It is an answer to the author of the package and not a fault, so it has no stack trace.
 */
public final class UnreadablePackageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadablePackageException(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
