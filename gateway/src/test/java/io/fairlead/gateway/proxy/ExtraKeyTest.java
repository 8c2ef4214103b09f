package io.fairlead.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtraKeyTest {
    @ParameterizedTest
    @CsvSource({
        "scopes, scopes",
        "example.com/scopes, example.com%2Fscopes",
        "a%b, a%25b",
        "a:b c, a%3Ab%20c",
        "ä, %C3%A4"
    })
    void escape_isClientGos(String key, String expected) {
        assertThat(ExtraKey.escape(key)).isEqualTo(expected);
    }
}
