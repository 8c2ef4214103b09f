package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway recognises requests that it has sent itself, through whatever gateways they came back. */
final class ViaTest {
    private final Via own = new Via("fairlead-0a1b");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.1 fairlead-0a1b | true",
                "1.0 nginx, 1.1 fairlead-0a1b (behind it) | true",
                "1.1 fairlead-0a1b,1.1 fairlead-ffff | true",
                "1.1 fairlead-ffff | false",
                "1.1 fairlead-0a1bc | false",
                "1.1 nginx (fairlead-0a1b) | false",
                "fairlead-0a1b | false",
            })
    void entry_isFoundAmongOthers(String value, boolean isOwn) {
        MutableFields headers = new MutableFields().add(Via.NAME, "1.1 first").add(Via.NAME, value);

        assertThat(own.isIn(headers)).isEqualTo(isOwn);
        assertThat(Via.NONE.isIn(headers)).isFalse();
        assertThat(own.isIn(own.fields().toMutable())).isTrue();
    }
}
