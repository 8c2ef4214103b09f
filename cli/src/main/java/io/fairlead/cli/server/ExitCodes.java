package io.fairlead.cli.server;

/** What commands answer to the shell; the launcher adds 70 for itself. */
public final class ExitCodes {
    public static final int OK = 0;
    public static final int ERROR = 1;

    /** Of a comparison: something is not as it shall be. */
    public static final int DIFFERENT = 2;

    /** Of a command whose exit code is its answer: nobody can say. */
    public static final int UNKNOWN = 3;

    /** Of such a command: there is no answer. */
    public static final int FAILED = 4;

    /** {@code EX_USAGE} of sysexits.h. */
    public static final int USAGE = 64;

    private ExitCodes() {}
}
