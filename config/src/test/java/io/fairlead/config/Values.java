package io.fairlead.config;

import io.fairlead.config.Configuration.LogLevel;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a configuration by their keys, and what each key may be given, by its type: so a new key is tested without
 * being named. One whose text has rules of its own has a case in {@link #other}.
 */
final class Values {
    private Values() {}

    /** The value of every key of a configuration. */
    static Map<String, Object> of(Configuration configuration) {
        Map<String, Object> values = new LinkedHashMap<>();
        add(configuration, "", values);
        return values;
    }

    private static void add(Record section, String prefix, Map<String, Object> values) {
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            String path = prefix + component.getName();
            Object value = value(section, component);
            if (value instanceof Record inner && !component.isAnnotationPresent(Setting.class)) {
                add(inner, path + ".", values);
            } else {
                values.put(path, value);
            }
        }
    }

    private static @Nullable Object value(Record section, RecordComponent component) {
        try {
            return component.getAccessor().invoke(section);
        } catch (ReflectiveOperationException broken) {
            throw new LinkageError(component.toString(), broken);
        }
    }

    /** For each key a text that no other of its type has, and that is not its default if there is a choice. */
    static Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        for (Key key : Key.ALL) {
            others.put(key.path(), other(key, others.size()));
        }
        return others;
    }

    private static String other(Key key, int number) {
        return switch (key.path()) {
            case "bindAddress" -> "0.0.0.0";
            case "logLevels" -> "io.fairlead.config=debug,io.fairlead=trace";
            case "metricsAddress" -> "0.0.0.0:1";
            case "hosted.backendAddresses" -> "10.2.0.0/16";
            case "tracing.endpoint" -> "https://collector.example:4318/base";
            case "upstream.allowedAddresses" -> "10.0.0.0/8,10.1.0.0/16";
            case "upstream.deniedAddresses" -> "10.2.0.0/16";
            default -> ofType(key, number);
        };
    }

    private static String ofType(Key key, int number) {
        if (key.type().isEnum()) {
            Object[] choices = key.type().getEnumConstants();
            return choices[choices.length - 1].toString().toLowerCase(Locale.ROOT);
        }
        if (key.type() == Duration.class) {
            return "1m" + (1_000 + number) + "s";
        }
        if (key.type() == ByteSize.class) {
            return 200 + number + "Mi";
        }
        if (isNumber(key)) {
            return String.valueOf(30_000 + number);
        }
        if (key.isSwitch()) {
            return String.valueOf(!key.defaultText().equals("true"));
        }
        return "text-" + number;
    }

    /** The file or folder that a key's path names. */
    static void make(Key key, Path named) throws IOException {
        if (key.path().endsWith("Dir")) {
            Files.createDirectory(named);
        } else if (key.type() == Path.class) {
            Files.writeString(named, "");
        }
    }

    /** As the body of a file. */
    static String yaml(Map<String, String> texts) {
        StringBuilder body = new StringBuilder();
        String section = "";
        for (Key key : Key.ALL) {
            String path = key.path();
            String text = texts.getOrDefault(path, "");
            String value = key.type() == List.class
                    ? "[" + text + "]"
                    : key.isMapping() ? "{" + text.replace("=", ": ") + "}" : text;
            int dot = path.indexOf('.');
            if (dot >= 0 && !path.substring(0, dot).equals(section)) {
                section = path.substring(0, dot);
                body.append(section).append(":\n");
            }
            body.append(dot < 0 ? "" : "  ").append(path.substring(dot + 1)).append(": ");
            body.append(value).append('\n');
        }
        return body.toString();
    }

    /** What a text in a file stands for, or null for no value. */
    static @Nullable Object written(Key key, String text, Path folder) {
        if (key.type() == List.class) {
            return Arrays.stream(text.split(",")).filter(one -> !one.isEmpty()).toList();
        }
        if (key.isMapping()) {
            return new LogLevels(
                    text.isEmpty()
                            ? Map.of()
                            : Map.of("io.fairlead.config", LogLevel.DEBUG, "io.fairlead", LogLevel.TRACE));
        }
        if (text.isEmpty()) {
            return null;
        }
        if (key.type().isEnum()) {
            return Arrays.stream(key.type().getEnumConstants())
                    .filter(choice -> choice.toString().equals(text.toUpperCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow();
        }
        if (key.type() == Duration.class) {
            return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        }
        if (key.type() == ByteSize.class) {
            return new ByteSize(bytes(text));
        }
        if (isNumber(key)) {
            return Integer.valueOf(text);
        }
        if (key.isSwitch()) {
            return Boolean.valueOf(text);
        }
        return key.type() == Path.class ? folder.resolve(text) : text;
    }

    private static long bytes(String text) {
        long amount = Long.parseLong(text.replaceAll("[KMG]i", ""));
        if (text.endsWith("Ki")) {
            return amount << 10;
        }
        return text.endsWith("Mi") ? amount << 20 : text.endsWith("Gi") ? amount << 30 : amount;
    }

    private static boolean isNumber(Key key) {
        return key.type() == int.class || key.type() == Integer.class;
    }
}
