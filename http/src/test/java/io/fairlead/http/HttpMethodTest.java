package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpMethodTest {
    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
    void usualMethod_isNotMadeAgain(String name) {
        assertThat(HttpMethod.of(name)).isSameAs(HttpMethod.of(name)).hasToString(name);
    }

    @Test
    void otherMethod_isOne_andCaseCounts() {
        assertThat(HttpMethod.of("PURGE")).isEqualTo(new HttpMethod("PURGE"));
        assertThat(HttpMethod.of("get")).isNotEqualTo(HttpMethod.GET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET ", "G\r\nET", "GÉT"})
    void whatIsNoToken_isNoMethod(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> HttpMethod.of(name));
    }
}
