package io.fairlead.index.history;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** resourceVersions of all kinds. */
final class Versions {
    private Versions() {}

    static Stream<String> notComparable() {
        return Stream.of("abc", "", "0", "007", "-1", "1".repeat(257), "1".repeat(300));
    }

    /** A lower one and a higher one: of one length, and of different lengths. */
    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of("8", "9"),
                Arguments.of("9", "10"),
                Arguments.of("9223372036854775806", "9223372036854775807"),
                Arguments.of("9223372036854775807", "9223372036854775808"),
                Arguments.of("99999999999999999998", "99999999999999999999"),
                Arguments.of("5", "1" + "0".repeat(19)),
                Arguments.of("1" + "0".repeat(38) + "1", "1" + "0".repeat(38) + "2"),
                Arguments.of("9".repeat(255) + "8", "9".repeat(256)),
                Arguments.of("1", "1" + "0".repeat(255)));
    }
}
