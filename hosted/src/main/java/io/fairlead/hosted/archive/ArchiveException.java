package io.fairlead.hosted.archive;

/** A file is no archive, or not as it was written; the message says where and what was expected. */
public final class ArchiveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ArchiveException(String message) {
        super(message);
    }
}
