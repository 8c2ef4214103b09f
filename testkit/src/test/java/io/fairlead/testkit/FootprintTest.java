package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FootprintTest {
    private record Holder(Object held) {}

    @Test
    void bytes_areThoseOfAllThatAnObjectLeadsTo() {
        String text = "n".repeat(5_000);

        assertThat(Footprint.bytes(new Holder(new long[1_000]))).isBetween(8_000L, 8_100L);
        assertThat(Footprint.bytes(new Holder(text))).isGreaterThan(5_000);
        assertThat(Footprint.bytes(new Holder(new ArrayList<>(List.of(text))))).isGreaterThan(5_000);
        assertThat(Footprint.bytes(new Holder(new Object[] {text, text}))).isBetween(5_000L, 11_000L);
        assertThat(Footprint.bytes(new Holder(text), text)).isLessThan(100);
    }
}
