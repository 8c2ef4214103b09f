package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 sections 5.6.2 and 7.2, RFC 9112 section 3. */
class FieldRulesTest {
    @Test
    void token_hasTheCharactersOfTheRfcAndNoOther() {
        StringBuilder tokens = new StringBuilder();
        for (int c = -1; c < 0x180; c++) {
            if (FieldRules.isTokenCharacter(c)) {
                tokens.append((char) c);
            }
        }

        assertThat(tokens).hasToString("!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~");
        assertThat(FieldRules.isToken("")).isFalse();
        assertThat(FieldRules.isToken("a b")).isFalse();
        assertThat(FieldRules.isToken("x-y")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/v1?watch=true", "/a%2Fb", "/[x]{y}|\"^`<>"})
    void targetInOriginForm_isTaken(String target) {
        assertThatCode(() -> FieldRules.requireTarget(target)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "*", "api", "http://h/", "/a b", "/a#b", "/a\\b", "/%", "/%2", "/%zz", "/\u007f", "/\u00e4"})
    void otherTarget_isMalformed(String target) {
        assertThatThrownBy(() -> FieldRules.requireTarget(target))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"h", "dev.example.com", "h:1", "h:65535", "10.0.0.1:443", "[::1]", "[::ffff:1.2.3.4]:8443", "a_b"
            })
    void hostWithAPortOrWithout_isTaken(String host) {
        assertThatCode(() -> FieldRules.requireHost(host)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ":1", "h:", "h:x", "h:65536", "h:1:2", "a..b", ".a", "a/b", "a@b", "a,b", "[]", "[::1", "[g::]",
                "a b"
            })
    void otherHost_isMalformed(String host) {
        assertThatThrownBy(() -> FieldRules.requireHost(host))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("Host header");
    }

    @Test
    void endOfValue_isTheFirstByteThatNoValueMayHave_whereverItStands() {
        Random random = new Random(20261124);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int at = 0; at < bytes.length; at++) {
                // Mostly text, so that runs of it are longer than eight bytes.
                bytes[at] = (byte) (random.nextInt(12) == 0 ? random.nextInt(256) : ' ' + random.nextInt(95));
            }
            int start = random.nextInt(bytes.length + 1);
            int expected = start;
            while (expected < bytes.length && FieldRules.isFieldValueCharacter(bytes[expected] & 0xff)) {
                expected++;
            }
            assertThat(FieldRules.endOfValue(bytes, start, bytes.length))
                    .as("from %d of %s", start, HexFormat.of().formatHex(bytes))
                    .isEqualTo(expected);
        }
    }
}
