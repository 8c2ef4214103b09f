package io.fairlead.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EventBoundaryTest {
    @Test
    void json_endsWithALineFeed() {
        EventBoundary boundary = Objects.requireNonNull(EventBoundary.of("application/json;stream=watch"));

        assertThat(boundary.isReached()).isTrue();
        pass(boundary, "{\"a\":");
        assertThat(boundary.isReached()).isFalse();
        assertThat(pass(boundary, "1}\n")).isEqualTo(1);
        assertThat(boundary.isReached()).isTrue();
        assertThat(pass(boundary, "{}\n{}\n{")).isEqualTo(2);
        assertThat(pass(boundary, "")).isZero();
    }

    @Test
    void protobuf_endsAfterItsLength_howeverItIsCut() {
        String events = "\0\0\0\3abc\0\0\1\0" + "x".repeat(256) + "\0\0\0\0";
        EventBoundary boundary =
                Objects.requireNonNull(EventBoundary.of("application/vnd.kubernetes.protobuf;stream=watch"));

        int counted = 0;
        for (int i = 0; i < events.length(); i++) {
            assertThat(boundary.isReached()).as("before byte %d", i).isEqualTo(i == 0 || i == 7 || i == 267);
            counted += pass(boundary, events.substring(i, i + 1));
        }
        assertThat(counted).isEqualTo(3);
        assertThat(boundary.isReached()).isTrue();
        assertThat(pass(boundary, events)).isEqualTo(3);
        assertThat(boundary.isReached()).isTrue();
    }

    @Test
    void otherMediaTypes_haveNone() {
        assertThat(EventBoundary.of("text/plain")).isNull();
        assertThat(EventBoundary.of(null)).isNull();
    }

    private static int pass(EventBoundary boundary, String bytes) {
        return boundary.pass(Unpooled.wrappedBuffer(bytes.getBytes(ISO_8859_1)));
    }
}
