package io.fairlead.config;

/**
 * Something wrong with the configuration.
 *
 * @param where the file with line and column, the flag or the variable
 * @param message what is wrong and what was expected
 * @param isWrongUsage whether it is in the words of the command line, rather than in a file or the environment
 */
public record Problem(String where, String message, boolean isWrongUsage) {
    Problem(String where, String message) {
        this(where, message, false);
    }

    @Override
    public String toString() {
        return where + ": " + message;
    }
}
