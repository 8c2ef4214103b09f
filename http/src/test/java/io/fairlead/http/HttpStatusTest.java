package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;

class HttpStatusTest {
    @Test
    void reasons_areThoseThatClientsKnow() {
        for (int status = 100; status < 600; status++) {
            assertThat(HttpStatus.reason(status))
                    .isEqualTo(HttpResponseStatus.valueOf(status).reasonPhrase());
        }
    }

    @Test
    void answersWithoutBody_areTold() {
        assertThat(HttpStatus.hasNoBody(101)).isTrue();
        assertThat(HttpStatus.hasNoBody(204)).isTrue();
        assertThat(HttpStatus.hasNoBody(304)).isTrue();
        assertThat(HttpStatus.hasNoBody(200)).isFalse();
        assertThat(HttpStatus.hasNoBody(404)).isFalse();
    }
}
