package io.fairlead.gateway.cli;

/** What commands answer to the shell; the launcher adds 70 for itself. */
final class ExitCodes {
    static final int OK = 0;
    static final int ERROR = 1;
    /** {@code EX_USAGE} of sysexits.h. */
    static final int USAGE = 64;

    private ExitCodes() {}
}
