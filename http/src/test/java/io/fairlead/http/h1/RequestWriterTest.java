package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWriterTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void head_isARequestLineAndFields() {
        Fields fields = Fields.builder(2, 40).add(FieldName.HOST, "api.example").build();
        Fields own = Fields.builder(1, 20).add("X-A", "b c").build();
        RequestWriter.head(out, "GET", "/api?x=%20", fields, own);

        assertThat(out.toString(US_ASCII))
                .isEqualTo("GET /api?x=%20 HTTP/1.1\r\nhost: api.example\r\nX-A: b c\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/a\r\nX: y", "/a\n", "/\u0000", "/\u00e9", "/\u007f", "/\t"})
    void targets_thatWouldBeReadAsSomethingElse_areRefused(String target) {
        assertThatThrownBy(() -> RequestWriter.head(out, "GET", target, Fields.EMPTY, Fields.EMPTY))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
