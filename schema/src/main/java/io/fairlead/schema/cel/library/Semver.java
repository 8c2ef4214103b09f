package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version (semver.org 2.0.0).
 *
 * @param prerelease its identifiers; a version that has any is before the one without
 */
record Semver(long major, long minor, long patch, List<String> prerelease) implements Opaque, Comparable<Semver> {
    private static final int CHARS_MAX = 256;
    private static final Pattern TEXT =
            Pattern.compile("(0|[1-9][0-9]{0,17})\\.(0|[1-9][0-9]{0,17})\\.(0|[1-9][0-9]{0,17})"
                    + "(?:-([0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+))?(?:\\+[0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+)?");

    static Optional<Semver> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (text.length() > CHARS_MAX || !matcher.matches()) {
            return Optional.empty();
        }
        String identifiers = matcher.group(4);
        List<String> prerelease = identifiers == null ? List.of() : List.of(identifiers.split("\\."));
        if (prerelease.stream().anyMatch(identifier -> identifier.matches("0[0-9]+"))) {
            return Optional.empty();
        }
        return Optional.of(new Semver(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                prerelease));
    }

    /** A version that may begin with {@code v}, lack parts, and have zeros before its numbers. */
    static Optional<Semver> parseLenient(String text) {
        if (text.length() > CHARS_MAX) {
            return Optional.empty();
        }
        String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replaceFirst("^0+(?=[0-9])", "");
        }
        String last = parts[parts.length - 1];
        if (parts.length < 3 && (last.contains("+") || last.contains("-"))) {
            return Optional.empty();
        }
        return parse(String.join(".", parts) + ".0".repeat(3 - parts.length));
    }

    @Override
    public int compareTo(Semver other) {
        int order = Long.compare(major, other.major);
        order = order == 0 ? Long.compare(minor, other.minor) : order;
        order = order == 0 ? Long.compare(patch, other.patch) : order;
        return order == 0 ? Integer.signum(comparePrereleases(other)) : order;
    }

    private int comparePrereleases(Semver other) {
        if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
            return Boolean.compare(prerelease.isEmpty(), other.prerelease.isEmpty());
        }
        for (int i = 0; i < Math.min(prerelease.size(), other.prerelease.size()); i++) {
            int order = compareIdentifiers(prerelease.get(i), other.prerelease.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(prerelease.size(), other.prerelease.size());
    }

    private static int compareIdentifiers(String left, String right) {
        boolean number = left.matches("[0-9]+");
        if (number != right.matches("[0-9]+")) {
            return number ? -1 : 1;
        }
        int order = number ? Integer.compare(left.length(), right.length()) : 0;
        return order == 0 ? left.compareTo(right) : order;
    }

    @Override
    public String typeName() {
        return "kubernetes.Semver";
    }
}
