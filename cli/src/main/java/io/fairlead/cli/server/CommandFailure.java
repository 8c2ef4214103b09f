package io.fairlead.cli.server;

import java.io.PrintWriter;

/** A failed command: a line for people, an optional hint, and an exit code. */
public final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String hint;
    private final int exitCode;

    private CommandFailure(String message, String hint, int exitCode) {
        super(message);
        this.hint = hint;
        this.exitCode = exitCode;
    }

    public static CommandFailure of(String message) {
        return new CommandFailure(message, "", ExitCodes.ERROR);
    }

    public static CommandFailure of(String message, String hint) {
        return new CommandFailure(message, hint, ExitCodes.ERROR);
    }

    public static CommandFailure usage(String message, String hint) {
        return new CommandFailure(message, hint, ExitCodes.USAGE);
    }

    public CommandFailure withExitCode(int code) {
        return new CommandFailure(message(), hint, code);
    }

    /** Says it to people, and returns the exit code. */
    public int tell(PrintWriter err) {
        if (!message().isEmpty()) {
            err.println("error: " + message());
        }
        if (!hint.isEmpty()) {
            err.println("hint:  " + hint);
        }
        err.flush();
        return exitCode;
    }

    public String message() {
        return String.valueOf(getMessage());
    }

    public String hint() {
        return hint;
    }

    public int exitCode() {
        return exitCode;
    }
}
