package io.fairlead.hosted.archive;

/** A file is no archive, or not as it was written; the message says where and what was expected. */
public final class ArchiveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How much of what is wrong a message repeats. */
    private static final int SHOWN_MAX = 200;

    public ArchiveException(String message) {
        super(message);
    }

    /** A text that comes from an archive, as much of it as a message may have. */
    public static String shown(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
