package io.fairlead.hosted.representation;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One clause of an {@code Accept} header (RFC 9110 section 12.5.1): {@code application/json;as=Table;g=meta.k8s.io;v=v1}.
 *
 * @param type the type, or {@code *}
 * @param subtype the subtype, or {@code *}
 * @param quality the weight from 0 to 1
 * @param parameters the other parameters, names in lower case
 */
public record MediaRange(String type, String subtype, double quality, Map<String, String> parameters) {
    /** Everything. */
    static final MediaRange ANY = new MediaRange("*", "*", 1, Map.of());

    public MediaRange {
        parameters = Collections.unmodifiableMap(new HashMap<>(parameters));
    }

    /** Parses a clause; null if it is invalid. */
    static @Nullable MediaRange parse(String clause) {
        String[] parts = clause.split(";", -1);
        String name = parts[0].strip().toLowerCase(Locale.ROOT);
        int slash = name.indexOf('/');
        if (slash <= 0 && !name.equals("*")) {
            return null;
        }
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            addParameter(parameters, parts[i]);
        }
        String q = parameters.remove("q");
        return new MediaRange(
                slash < 0 ? "*" : name.substring(0, slash),
                slash < 0 ? "*" : name.substring(slash + 1),
                quality(q),
                parameters);
    }

    private static void addParameter(Map<String, String> parameters, String part) {
        int equals = part.indexOf('=');
        if (equals > 0) {
            String value = part.substring(equals + 1).strip();
            parameters.put(part.substring(0, equals).strip().toLowerCase(Locale.ROOT), unquoted(value));
        }
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    private static double quality(@Nullable String q) {
        if (q == null) {
            return 1;
        }
        try {
            return Math.clamp(Double.parseDouble(q), 0.0, 1.0);
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /** 2 for a type, 1 for all subtypes of one, 0 for anything. */
    int specificity() {
        return type.equals("*") ? 0 : subtype.equals("*") ? 1 : 2;
    }

    boolean covers(String mediaType) {
        return switch (specificity()) {
            case 0 -> true;
            case 1 -> mediaType.startsWith(type + "/");
            default -> mediaType.equals(type + "/" + subtype);
        };
    }

    /** The requested transformation, or null if none. */
    public @Nullable Transformation transformation() {
        String as = parameters.getOrDefault("as", "");
        String group = parameters.getOrDefault("g", "");
        String version = parameters.getOrDefault("v", "");
        return as.isEmpty() && group.isEmpty() && version.isEmpty() ? null : new Transformation(group, version, as);
    }

    /**
     * A kind into which to transform the answer.
     *
     * @param group the parameter {@code g}
     * @param version the parameter {@code v}
     * @param kind the parameter {@code as}
     */
    public record Transformation(String group, String version, String kind) {
        /** The {@code apiVersion} of the kind. */
        public String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }
}
