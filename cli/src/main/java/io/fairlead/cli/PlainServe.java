package io.fairlead.cli;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.config.Key;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code serve} as nearly everyone gives them: {@code --flag value} or {@code --flag=value}, each flag
 * once. Everything else is for picocli, whose classes are older than the JVM's cache takes, so that reading and
 * verifying them is a good part of a start.
 *
 * @param file what {@code --config} names, or null
 * @param flags the values of keys, by their paths
 */
record PlainServe(@Nullable Path file, Map<String, String> flags) {
    private static final String COMMAND = "serve";
    private static final String CONFIG = "--config";
    private static final Map<String, Key> KEYS =
            Key.ALL.stream().collect(Collectors.toUnmodifiableMap(Key::flag, Function.identity()));

    PlainServe {
        flags = Map.copyOf(flags);
    }

    /** Reads them; empty if they are not plain, or of another command. */
    static Optional<PlainServe> of(List<String> arguments) {
        return !arguments.isEmpty() && arguments.getFirst().equals(COMMAND)
                ? Optional.ofNullable(values(arguments.subList(1, arguments.size())))
                : Optional.empty();
    }

    /** Serves until the process is told to end, and returns its exit code. */
    int run(PrintWriter out, PrintWriter err) {
        try {
            return new Serving(file, flags, out, err).run();
        } catch (CommandFailure failure) {
            return failure.tell(err);
        }
    }

    private static @Nullable PlainServe values(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            String value = "";
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (i + 1 < arguments.size() && !isSwitch(flag)) {
                value = arguments.get(++i);
            }
            if (!isKnown(flag) || !isPlain(value) || values.put(flag, value) != null) {
                return null;
            }
        }
        String file = values.remove(CONFIG);
        return new PlainServe(file == null ? null : Path.of(file), byPath(values));
    }

    private static boolean isKnown(String flag) {
        return flag.equals(CONFIG) || KEYS.containsKey(flag);
    }

    /** Whether the flag may stand without a value. */
    private static boolean isSwitch(String flag) {
        Key key = KEYS.get(flag);
        return key != null && key.isSwitch();
    }

    /** Neither missing nor another flag nor a file of arguments. */
    private static boolean isPlain(String value) {
        return !value.isEmpty() && value.charAt(0) != '-' && value.charAt(0) != '@';
    }

    private static Map<String, String> byPath(Map<String, String> values) {
        Map<String, String> byPath = new HashMap<>();
        values.forEach((flag, value) -> byPath.put(keyOf(flag).path(), value));
        return byPath;
    }

    private static Key keyOf(String flag) {
        return Objects.requireNonNull(KEYS.get(flag));
    }
}
