package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import java.util.Optional;

/** Semantic versions (apiserver {@code cel/library/semverlib.go}, since 1.33). */
final class SemverFunctions {
    private SemverFunctions() {}

    static void addTo(Registry registry) {
        Class<Semver> semver = Semver.class;
        registry.unary("isSemver", String.class, (text, _) -> Semver.parse(text).isPresent())
                .binary(
                        "isSemver",
                        String.class,
                        Boolean.class,
                        (text, lenient, _) -> parse(text, lenient).isPresent())
                .unary("semver", String.class, (text, _) -> parsed(text, false))
                .binary("semver", String.class, Boolean.class, (text, lenient, _) -> parsed(text, lenient))
                .unary("major", semver, (version, _) -> version.major())
                .unary("minor", semver, (version, _) -> version.minor())
                .unary("patch", semver, (version, _) -> version.patch())
                .binary("isGreaterThan", semver, semver, (a, b, _) -> a.compareTo(b) > 0)
                .binary("isLessThan", semver, semver, (a, b, _) -> a.compareTo(b) < 0)
                .binary("compareTo", semver, semver, (a, b, _) -> (long) a.compareTo(b));
    }

    private static Optional<Semver> parse(String text, boolean lenient) {
        return lenient ? Semver.parseLenient(text) : Semver.parse(text);
    }

    private static Object parsed(String text, boolean lenient) {
        return parse(text, lenient)
                .<Object>map(version -> version)
                .orElseGet(() -> new CelError(reason(text, lenient)));
    }

    private static String reason(String text, boolean lenient) {
        if (text.isEmpty() && !lenient) {
            return "Version string empty";
        }
        boolean parts = text.split("\\.", 3).length == 3;
        return parts ? "Invalid character(s) found in version " + text : "No Major.Minor.Patch elements found";
    }
}
