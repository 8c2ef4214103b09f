package io.fairlead.config;

import java.nio.file.Path;
import java.util.List;

/**
 * A value that somebody gave for a key.
 *
 * @param texts the text, or each of a list
 * @param where its origin, for messages
 * @param folder what relative paths are resolved against
 */
record Given(List<String> texts, String where, Path folder) {
    static Given of(String text, String where) {
        return new Given(List.of(text), where, Path.of(""));
    }
}
