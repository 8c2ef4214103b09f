package io.fairlead.gateway.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code traceparent}, with the examples of W3C Trace Context. */
class TraceContextTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,true",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00,false",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03,true",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,true",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like,true"
    })
    void value_isRead(String value, boolean isSampled) {
        TraceContext read = Objects.requireNonNull(TraceContext.parse(value));

        assertThat(read.isSampled()).isEqualTo(isSampled);
        assertThat(read).hasToString("00-" + TRACE + "-00f067aa0ba902b7-" + (isSampled ? "01" : "00"));
        assertThat(read.traceBytes()).startsWith(0x4b, 0xf9).hasSize(16);
        assertThat(read.spanBytes()).startsWith(0x00, 0xf0).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
                " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void otherText_isNone(String value) {
        assertThat(TraceContext.parse(value)).isNull();
    }

    @Test
    void root_isReadAsItWasWritten_andItsNextIsOfTheSameTrace() {
        Random random = new Random(20261128);
        TraceContext root = TraceContext.root(random::nextLong);

        assertThat(TraceContext.parse(root.toString())).isEqualTo(root);
        assertThat(root.next(random::nextLong).traceBytes()).isEqualTo(root.traceBytes());
        assertThat(root.next(random::nextLong).span()).isNotEqualTo(root.span());
        assertThat(TraceContext.parse(TraceContext.root(() -> 0).toString())).isNotNull();
    }
}
