package io.fairlead.config;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One key of the configuration.
 *
 * @param path its path in the file ({@code shutdown.delay})
 * @param type the type of its value
 * @param defaultText its default in the file's syntax, empty for none
 * @param meaning its purpose
 */
public record Key(String path, Class<?> type, String defaultText, String meaning) {
    /** Every key, in the order of the reference. */
    public static final List<Key> ALL = List.copyOf(of(Configuration.class, ""));

    /** The flag of the command line ({@code --shutdown-delay}). */
    public String flag() {
        return "--" + words('-').toLowerCase(Locale.ROOT);
    }

    /** The environment variable ({@code FAIRLEAD_SHUTDOWN_DELAY}). */
    public String variable() {
        return "FAIRLEAD_" + words('_').toUpperCase(Locale.ROOT);
    }

    /** Whether it is a boolean, so that its flag needs no value. */
    public boolean isSwitch() {
        return type == boolean.class || type == Boolean.class;
    }

    /** Whether several values can be given, as a list in the file, or joined by commas. */
    boolean isList() {
        return type == List.class;
    }

    /** Whether values are given by names, as a mapping in the file, or as {@code name=value} joined by commas. */
    boolean isMapping() {
        return type == LogLevels.class;
    }

    /** The format of a value, for people. */
    public String expected() {
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(choice -> choice.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" or "));
        }
        if (type == int.class || type == Integer.class) {
            return "an integer";
        }
        if (type == Duration.class) {
            return "a duration such as 300ms, 5s or 1m30s";
        }
        if (type == ByteSize.class) {
            return "a size such as 65536, 64Ki or 3Mi";
        }
        if (isSwitch()) {
            return "true or false";
        }
        if (isMapping()) {
            return LogLevels.EXPECTED;
        }
        return isList() ? "a list" : type == Path.class ? "a path" : "text";
    }

    /** The words of the path, which begin at points and at capitals. */
    private String words(char separator) {
        StringBuilder words = new StringBuilder(path.length() * 2);
        boolean isInWord = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean isCapital = c >= 'A' && c <= 'Z';
            if (isInWord && isCapital) {
                words.append(separator);
            }
            words.append(c == '.' ? separator : c);
            isInWord = c != '.' && !isCapital;
        }
        return words.toString();
    }

    private static List<Key> of(Class<?> section, String prefix) {
        List<Key> keys = new ArrayList<>();
        for (RecordComponent component : section.getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            if (setting == null) {
                keys.addAll(of(component.getType(), prefix + component.getName() + "."));
            } else {
                keys.add(
                        new Key(prefix + component.getName(), component.getType(), setting.value(), setting.meaning()));
            }
        }
        return keys;
    }
}
