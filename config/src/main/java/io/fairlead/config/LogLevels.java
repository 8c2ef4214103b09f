package io.fairlead.config;

import io.fairlead.config.Configuration.LogLevel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * From which level on the log lines of some packages and classes are written. Each name counts for what is below it; of several
 * the longest does.
 *
 * @param byName the levels by the names of packages and classes of Fairlead
 */
public record LogLevels(Map<String, LogLevel> byName) {
    /** Libraries stay at warnings: at their lowest levels some write what they send, credentials included. */
    private static final Pattern NAME = Pattern.compile("io\\.fairlead(\\.[A-Za-z_][A-Za-z0-9_]*)*");

    public LogLevels {
        byName = Map.copyOf(byName);
    }

    /**
     * Reads them.
     *
     * @param texts each a name, {@code =} and a level
     * @throws IllegalArgumentException if one is not, or a name is given twice
     */
    static LogLevels parse(List<String> texts) {
        Map<String, LogLevel> levels = new TreeMap<>();
        for (String text : texts) {
            int sign = text.indexOf('=');
            LogLevel level = LogLevel.valueOf(upperCase(text.substring(sign + 1)));
            if (sign < 0 || levels.put(text.substring(0, sign), level) != null) {
                throw new IllegalArgumentException("no name, or one that is given twice");
            }
        }
        return new LogLevels(levels);
    }

    private static String upperCase(String level) {
        if (!level.equals(level.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("a level in upper case");
        }
        return level.toUpperCase(Locale.ROOT);
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
