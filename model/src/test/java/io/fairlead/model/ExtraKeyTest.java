package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"acme.com/project", "Abc", "50%", "50%zz", "ü", "a b", "x-y_z"})
    void keyThatIsEscaped_comesOutAsItWas(String key) {
        String received = ExtraKey.escape(key);

        assertThat(received).matches("[!#$%&'*+.^_`|~0-9a-zA-Z-]+");
        assertThat(ExtraKey.unescape(received.toLowerCase(Locale.ROOT))).isEqualTo(key);
    }
}
