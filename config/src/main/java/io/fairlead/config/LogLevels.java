package io.fairlead.config;

import io.fairlead.config.Configuration.LogLevel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * From which level on the log lines of some packages and classes are written. Each name counts for what is below it; of several
 * the longest does.
 *
 * @param byName the levels by the names of packages and classes of Fairlead
 */
public record LogLevels(Map<String, LogLevel> byName) {
    private static final String WORDS = "error, warn, info, debug or trace";

    /** The format of their key, for people. */
    static final String EXPECTED = WORDS + " for names of packages or classes, such as io.fairlead.net=debug";

    /** Libraries stay at warnings: at their lowest levels some write what they send, credentials included. */
    private static final Pattern NAME = Pattern.compile("io\\.fairlead(\\.[A-Za-z_][A-Za-z0-9_]*)*");

    public LogLevels {
        byName = Map.copyOf(byName);
    }

    /**
     * Reads them, but for those that are none.
     *
     * @param texts each a name, {@code =} and a level
     * @param path of their key, with which problems begin
     * @param problems receives a message for each that is none, or has a name that is given twice
     */
    static LogLevels parse(List<String> texts, String path, Consumer<String> problems) {
        Map<String, LogLevel> levels = new TreeMap<>();
        for (String text : texts) {
            int sign = text.indexOf('=');
            String name = text.substring(0, Math.max(sign, 0));
            String word = text.substring(sign + 1);
            Optional<LogLevel> level = level(word);
            if (sign < 0) {
                problems.accept(path + ": \"" + text + "\" (expected " + EXPECTED + ")");
            } else if (level.isEmpty()) {
                problems.accept(path + "." + name + ": \"" + word + "\" (expected " + WORDS + ")");
            } else if (levels.putIfAbsent(name, level.get()) != null) {
                problems.accept(path + "." + name + ": \"" + word + "\" (expected one level for a name)");
            }
        }
        return new LogLevels(levels);
    }

    private static Optional<LogLevel> level(String word) {
        return Stream.of(LogLevel.values())
                .filter(level -> level.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst();
    }

    /** The names that no package or class has; a line in which one is misspelt would otherwise do nothing. */
    List<String> unknown() {
        return byName.keySet().stream()
                .filter(name -> !NAME.matcher(name).matches() || !isOnClassPath(name.replace('.', '/')))
                .sorted()
                .toList();
    }

    private static boolean isOnClassPath(String path) {
        ClassLoader classes = LogLevels.class.getClassLoader();
        return Stream.of(path, path + ".class", path + "/package-info.class")
                .anyMatch(resource -> classes.getResource(resource) != null);
    }
}
