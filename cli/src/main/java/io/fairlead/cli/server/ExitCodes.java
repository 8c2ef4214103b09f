package io.fairlead.cli.server;

/** The exit codes of commands; the launcher adds 70 for itself. */
public final class ExitCodes {
    public static final int OK = 0;
    public static final int ERROR = 1;

    /** A comparison found a difference. */
    public static final int DIFFERENT = 2;

    /** The exit code is the answer: unknown. */
    public static final int UNKNOWN = 3;

    /** The exit code is the answer: there is none. */
    public static final int FAILED = 4;

    /** {@code EX_USAGE} of sysexits.h. */
    public static final int USAGE = 64;

    private ExitCodes() {}
}
