package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @ParameterizedTest
    @CsvSource({"0,PT0S", "300ms,PT0.3S", "5s,PT5S", "1m30s,PT1M30S", "2h,PT2H", "1h2m3s4ms,PT1H2M3.004S"})
    void duration_ofText_isRead(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "5 s", "-5s", "5s x", "x5s", "5d"})
    void duration_ofOtherText_isRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1023,1023", "64Ki,65536", "3Mi,3145728", "1Gi,1073741824"})
    void size_ofText_isRead(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
        assertThat(ByteSize.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "i", "Ki", "1K", "1ki", "-1", "1.5Mi", "9223372036854775807Ki"})
    void size_ofOtherText_isRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOfAny(IllegalArgumentException.class, ArithmeticException.class);
    }

    @Test
    void address_ofIpv6_standsInBrackets() {
        assertThat(HostPort.parse("[::1]:9464")).isEqualTo(new HostPort("::1", 9464));
        assertThatThrownBy(() -> HostPort.parse("::1:9464")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HostPort.parse("localhost")).isInstanceOf(IllegalArgumentException.class);
    }
}
