package io.fairlead.index.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ResourceVersion;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecentVersionsTest {
    private final RecentVersions recent = new RecentVersions();

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#pairs")
    void higherVersionOfTheKey_isSeen(String lower, String higher) {
        add("a", higher);
        add("b", lower);

        assertThat(hasAbove("a", lower)).isTrue();
        assertThat(hasAbove("a", higher)).isFalse();
        assertThat(hasAbove("b", lower)).isFalse();
        assertThat(hasAbove("c", lower)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.fairlead.index.history.Versions#pairs")
    void versionsOfOneKey_areSeenInAnyOrder(String lower, String higher) {
        add("a", lower);
        assertThat(hasAbove("a", lower)).isFalse();
        add("a", higher);
        assertThat(hasAbove("a", lower)).isTrue();
        add("a", lower);
        assertThat(hasAbove("a", lower)).isTrue();
    }

    @Test
    void last128_areRemembered() {
        add("a", "1000");
        for (int i = 1; i < RecentVersions.CAPACITY; i++) {
            add("b" + i, Integer.toString(1000 + i));
        }
        assertThat(hasAbove("a", "999")).isTrue();

        add("c", "2000");

        assertThat(hasAbove("a", "999")).isFalse();
        assertThat(hasAbove("b1", "1000")).isTrue();
        assertThat(hasAbove("c", "1999")).isTrue();
    }

    /** Versions that are far below the newest are below those that are near it; among themselves they are not known. */
    @Test
    void versionFarBelowTheNewest_losesOnlyItsOrderAmongThose() {
        String far = "1" + "0".repeat(40);
        add("a", "5");
        add("b", far);
        add("c", plus(far, 1));

        assertThat(hasAbove("a", "4")).isFalse();
        assertThat(hasAbove("b", "4")).isTrue();
        assertThat(hasAbove("b", far)).isFalse();
        assertThat(hasAbove("c", far)).isTrue();
        assertThat(hasAbove("c", "1" + far)).isFalse();
    }

    @Test
    void baseThatMovesByLittleMoreThanALong_keepsTheOrder() {
        BigInteger first = BigInteger.ONE.shiftLeft(100);
        String near = first.add(BigInteger.valueOf(Long.MAX_VALUE)).toString();
        String next =
                first.add(BigInteger.ONE.shiftLeft(63).add(BigInteger.ONE)).toString();
        add("a", first.toString());
        add("b", near);
        add("c", next);

        assertThat(hasAbove("b", plus(near, -1))).isTrue();
        assertThat(hasAbove("b", near)).isFalse();
        assertThat(hasAbove("c", near)).isTrue();
        assertThat(hasAbove("a", plus(first.toString(), -1))).isTrue();
        assertThat(hasAbove("a", first.toString())).isFalse();
    }

    /** Names whose {@code String.hashCode} is equal. */
    @Test
    void keysOfEqualHashCodes_areApart() {
        add("AaAa", "9");

        assertThat("AaAa".hashCode()).isEqualTo("BBBB".hashCode());
        assertThat(hasAbove("AaAa", "8")).isTrue();
        assertThat(hasAbove("BBBB", "8")).isFalse();
    }

    private void add(String key, String version) {
        recent.add(key, new ResourceVersion(version));
    }

    private boolean hasAbove(String key, String version) {
        return recent.hasAbove(key, new ResourceVersion(version));
    }

    private static String plus(String version, int difference) {
        return new BigInteger(version).add(BigInteger.valueOf(difference)).toString();
    }
}
