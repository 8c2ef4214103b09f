package io.fairlead.config;

import java.nio.file.Path;
import java.util.List;

/**
 * A given value of a key.
 *
 * @param texts the text, or each of a list
 * @param where its origin, for messages
 * @param folder the base of relative paths
 * @param isFlag whether it is on the command line
 */
record Given(List<String> texts, String where, Path folder, boolean isFlag) {
    static Given inFile(List<String> texts, String where, Path folder) {
        return new Given(texts, where, folder, false);
    }

    static Given of(String text, String where) {
        return new Given(List.of(text), where, Path.of(""), false);
    }

    static Given ofFlag(String text, String flag) {
        return new Given(List.of(text), flag, Path.of(""), true);
    }
}
