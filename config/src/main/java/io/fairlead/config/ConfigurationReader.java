package io.fairlead.config;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Configuration}: a flag beats an environment variable, which beats the file, which beats the default.
 * Collects every problem before it gives up.
 */
public final class ConfigurationReader {
    private final Map<String, Given> given = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Findings findings = new Findings(given, problems);

    private ConfigurationReader() {}

    /**
     * Reads the configuration. The files that it names must be readable; their content is not checked.
     *
     * @throws ConfigurationException if it is invalid
     */
    public static Configuration read(@Nullable Path file, Map<String, String> environment, Map<String, String> flags)
            throws ConfigurationException {
        return read(file, environment, flags, NamedFiles.READABLE);
    }

    /**
     * Reads the configuration.
     *
     * @param file the configuration file, or null for none
     * @param environment the environment; variables of no key are ignored
     * @param flags the values of flags by the path of their key
     * @param named checks the files that it names
     * @throws ConfigurationException if it is invalid
     */
    public static Configuration read(
            @Nullable Path file, Map<String, String> environment, Map<String, String> flags, NamedFiles named)
            throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader();
        if (file != null) {
            ConfigurationFile.read(file, reader.given, reader.problems);
        }
        reader.addEnvironment(environment);
        reader.addFlags(flags);
        return reader.complete(named);
    }

    private void addEnvironment(Map<String, String> environment) {
        for (Key key : Key.ALL) {
            String value = environment.get(key.variable());
            if (value != null && !value.isEmpty()) {
                given.put(key.path(), Given.of(value, key.variable()));
            }
        }
    }

    private void addFlags(Map<String, String> flags) {
        for (Key key : Key.ALL) {
            String value = flags.get(key.path());
            if (value != null) {
                given.put(key.path(), Given.ofFlag(value, key.flag()));
            }
        }
    }

    private Configuration complete(NamedFiles named) throws ConfigurationException {
        Configuration configuration = (Configuration) build(Configuration.class, "");
        CrossChecks.check(configuration, findings);
        named.check(configuration, findings::refuseNamed);
        if (!problems.isEmpty()) {
            throw new ConfigurationException(
                    problems.stream().sorted(Problem.BY_LINE).toList());
        }
        return configuration;
    }

    private Object build(Class<?> section, String prefix) {
        RecordComponent[] components = section.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = value(components[i], prefix + components[i].getName());
        }
        return construct(section, components, values);
    }

    private @Nullable Object value(RecordComponent component, String path) {
        Setting setting = component.getAnnotation(Setting.class);
        if (setting == null) {
            return build(component.getType(), path + ".");
        }
        Given value = given.getOrDefault(path, Given.of(setting.value(), path));
        if (component.getType() == LogLevels.class) {
            return LogLevels.parse(list(value.texts()), path, problem -> findings.refuse(path, problem));
        }
        try {
            return component.getType() != List.class && isNone(value)
                    ? none(setting)
                    : convert(component.getType(), value);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            Key key = Key.ALL.stream()
                    .filter(known -> known.path().equals(path))
                    .findFirst()
                    .orElseThrow();
            findings.refuse(
                    path, path + ": \"" + String.join(",", value.texts()) + "\" (expected " + key.expected() + ")");
            // The default replaces it, so that the other checks still run.
            return setting.value().isEmpty() && component.getType() != List.class
                    ? null
                    : convert(component.getType(), Given.of(setting.value(), path));
        }
    }

    private static boolean isNone(Given value) {
        return value.texts().equals(List.of(""));
    }

    /** The value of an empty key, allowed only for keys without a default. */
    private static @Nullable Object none(Setting setting) {
        if (!setting.value().isEmpty()) {
            throw new IllegalArgumentException("no value");
        }
        return null;
    }

    private static Object convert(Class<?> type, Given value) {
        if (type == List.class) {
            return list(value.texts());
        }
        if (value.texts().size() != 1) {
            throw new IllegalArgumentException("a list");
        }
        String text = value.texts().getFirst();
        return scalar(type, text, value);
    }

    private static Object scalar(Class<?> type, String text, Given value) {
        if (type == String.class) {
            return text;
        }
        if (type == Path.class) {
            return value.folder().resolve(text);
        }
        if (type == int.class || type == Integer.class) {
            return Integer.valueOf(text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(text);
        }
        if (type == Duration.class) {
            return Durations.parse(text);
        }
        if (type == ByteSize.class) {
            return ByteSize.parse(text);
        }
        return choice(type, text);
    }

    private static List<String> list(List<String> texts) {
        List<String> elements =
                texts.size() == 1 ? Arrays.asList(texts.getFirst().split(",")) : texts;
        return elements.stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static Object choice(Class<?> type, String text) {
        for (Object choice : type.getEnumConstants()) {
            if (choice.toString().toLowerCase(Locale.ROOT).equals(text)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("no such choice");
    }

    private static Object construct(Class<?> section, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return section.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException("record " + section.getName() + " cannot be made", broken);
        }
    }
}
