package io.fairlead.gateway.cli;

/** The end of a command that could not do its work: a line for people, a hint if there is one, and an exit code. */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String hint;
    private final int exitCode;

    private CommandFailure(String message, String hint, int exitCode) {
        super(message);
        this.hint = hint;
        this.exitCode = exitCode;
    }

    static CommandFailure of(String message) {
        return new CommandFailure(message, "", ExitCodes.ERROR);
    }

    static CommandFailure of(String message, String hint) {
        return new CommandFailure(message, hint, ExitCodes.ERROR);
    }

    static CommandFailure usage(String message, String hint) {
        return new CommandFailure(message, hint, ExitCodes.USAGE);
    }

    CommandFailure withExitCode(int code) {
        return new CommandFailure(message(), hint, code);
    }

    String message() {
        return String.valueOf(getMessage());
    }

    String hint() {
        return hint;
    }

    int exitCode() {
        return exitCode;
    }
}
