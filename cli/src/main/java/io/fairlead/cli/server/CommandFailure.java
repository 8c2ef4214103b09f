package io.fairlead.cli.server;

/** The end of a command that could not do its work: a line for people, a hint if there is one, and an exit code. */
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
