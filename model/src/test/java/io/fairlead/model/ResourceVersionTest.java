package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceVersionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 19, 20, 40, 256})
    void positiveInteger_isComparableAtAnyLengthUpTo256(int length) {
        String lower = "9".repeat(length - 1) + "8";
        String higher = "9".repeat(length);

        assertThat(ResourceVersion.isComparable(lower)).isTrue();
        assertThat(ResourceVersion.isNewer(higher, lower)).isTrue();
        assertThat(ResourceVersion.isNewer(lower, higher)).isFalse();
        assertThat(ResourceVersion.isNewer(lower, lower)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10, 9",
        "9223372036854775808, 9223372036854775807",
        "18446744073709551616, 18446744073709551615",
        "10000000000000000000000000000000000000000, 9999999999999999999999999999999999999999"
    })
    void longerInteger_isNewer(String longer, String shorter) {
        assertThat(ResourceVersion.isNewer(longer, shorter)).isTrue();
        assertThat(ResourceVersion.isNewer(shorter, longer)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "", "0", "007", "-1", "+1", "1.0", "1e3", " 1", "1 ", "\u0661", "0x1"})
    void anyOtherText_isNotComparable(String text) {
        assertThat(ResourceVersion.isComparable(text)).isFalse();
        assertThat(ResourceVersion.isNewer("5", text)).isFalse();
        assertThat(ResourceVersion.isNewer(text, "5")).isFalse();
        assertThatThrownBy(() -> new ResourceVersion(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void integerOf257Digits_isNotComparable() {
        String text = "1".repeat(257);

        assertThat(ResourceVersion.isComparable(text)).isFalse();
        assertThat(ResourceVersion.isNewer(text, "5")).isFalse();
        assertThatThrownBy(() -> new ResourceVersion(text)).hasMessageContaining("at most 256 digits");
    }
}
