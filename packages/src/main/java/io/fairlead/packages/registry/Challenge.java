package io.fairlead.packages.registry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a registry asks for in {@code WWW-Authenticate} (RFC 9110 section 11.6.1).
 *
 * @param scheme in lower case
 * @param parameters by name in lower case
 */
record Challenge(String scheme, Map<String, String> parameters) {
    private static final Pattern SCHEME = Pattern.compile("\\s*([A-Za-z]+)(?:\\s+(.*))?");
    private static final Pattern PARAMETER =
            Pattern.compile("([A-Za-z_]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\\s,\"]+))");

    /** The first of the fields that is of a scheme that is known; tokens before passwords. */
    static Optional<Challenge> of(List<String> fields) {
        for (String scheme : List.of("bearer", "basic")) {
            for (String field : fields) {
                Matcher matcher = SCHEME.matcher(field);
                if (matcher.matches()
                        && matcher.group(1).toLowerCase(Locale.ROOT).equals(scheme)) {
                    return Optional.of(new Challenge(scheme, parameters(matcher.group(2))));
                }
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> parameters(@Nullable String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Matcher matcher = PARAMETER.matcher(text == null ? "" : text);
        while (matcher.find()) {
            String quoted = matcher.group(2);
            String value = quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1");
            parameters.put(matcher.group(1).toLowerCase(Locale.ROOT), value);
        }
        return parameters;
    }

    boolean isBearer() {
        return scheme.equals("bearer");
    }

    String parameter(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }
}
