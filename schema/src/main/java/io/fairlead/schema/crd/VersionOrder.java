package io.fairlead.schema.crd;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of API versions, most wanted first (apimachinery {@code util/version.CompareKubeAwareVersionStrings}):
 * {@code v2}, {@code v1}, {@code v1beta2}, {@code v1beta1}, {@code v1alpha1}, then all other names in alphabetical
 * order.
 */
public final class VersionOrder implements Comparator<String> {
    public static final VersionOrder BEST_FIRST = new VersionOrder();

    private static final Pattern VERSION = Pattern.compile("v([1-9][0-9]{0,17})(?:(alpha|beta)([1-9][0-9]{0,17}))?");

    private VersionOrder() {}

    @Override
    public int compare(String a, String b) {
        Parsed left = Parsed.of(a);
        Parsed right = Parsed.of(b);
        return left.stability == Stability.NONE && right.stability == Stability.NONE
                ? a.compareTo(b)
                : Parsed.BEST_FIRST.compare(left, right);
    }

    private enum Stability {
        NONE,
        ALPHA,
        BETA,
        STABLE
    }

    private record Parsed(Stability stability, long major, long minor) {
        static final Comparator<Parsed> BEST_FIRST = Comparator.comparing(Parsed::stability)
                .thenComparingLong(Parsed::major)
                .thenComparingLong(Parsed::minor)
                .reversed();

        static Parsed of(String version) {
            Matcher matcher = VERSION.matcher(version);
            if (!matcher.matches()) {
                return new Parsed(Stability.NONE, 0, 0);
            }
            long major = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case null -> new Parsed(Stability.STABLE, major, 0);
                case "alpha" -> new Parsed(Stability.ALPHA, major, Long.parseLong(matcher.group(3)));
                default -> new Parsed(Stability.BETA, major, Long.parseLong(matcher.group(3)));
            };
        }
    }
}
