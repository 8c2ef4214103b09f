package io.fairlead.gateway.cli;

/** What commands answer to the shell; the launcher adds 70 for itself. */
final class ExitCodes {
    static final int OK = 0;
    static final int ERROR = 1;

    /** Of a comparison: something is not as it shall be. */
    static final int DIFFERENT = 2;

    /** Of a command whose exit code is its answer: nobody can say. */
    static final int UNKNOWN = 3;

    /** Of such a command: there is no answer. */
    static final int FAILED = 4;

    /** {@code EX_USAGE} of sysexits.h. */
    static final int USAGE = 64;

    private ExitCodes() {}
}
