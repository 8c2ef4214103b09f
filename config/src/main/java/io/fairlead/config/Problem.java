package io.fairlead.config;

/**
 * Something wrong with the configuration.
 *
 * @param where the file with line and column, the flag or the variable
 * @param message what is wrong and what was expected
 */
public record Problem(String where, String message) {
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
