package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineBytesTest {
    private static final long SEED = 20_261_127;

    /** Nothing that a caller chooses may end a string, or a line. */
    @Test
    void anyText_isReadAsItWas_andIsOneLine() {
        Random random = new Random(SEED);
        LineBytes line = new LineBytes();
        for (int round = 0; round < 2_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                int bound = random.nextBoolean() ? 0x80 : random.nextBoolean() ? 0x800 : Character.MAX_CODE_POINT;
                int character = random.nextInt(bound);
                text.appendCodePoint(character >= 0xd800 && character < 0xe000 ? '"' : character);
            }

            line.clear().text(text.toString());

            assertThat(Json.read(line.copy()).stringValue()).as("seed %s", SEED).isEqualTo(text.toString());
            assertThat(new String(line.copy(), UTF_8)).doesNotContain("\n", "\r", "\u0000");
        }
    }

    @Test
    void halfOfAPair_isReplaced() {
        assertThat(Json.read(new LineBytes().text("a\ud800b\udc00").copy()).stringValue())
                .isEqualTo("a\ufffdb\ufffd");
    }

    @Test
    void listOfTexts_isAnArray() {
        assertThat(text(new LineBytes().texts(List.of()))).isEqualTo("[]");
        assertThat(text(new LineBytes().texts(List.of("a", "b\"")))).isEqualTo("[\"a\",\"b\\\"\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-27T21:17:49.123456Z",
                "2026-01-01T00:00:00.000000Z",
                "2024-02-29T23:59:59.999999Z",
                "1969-12-31T23:59:59.000001Z"
            })
    void time_hasMicroseconds(String time) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));

        LineBytes line = new LineBytes().time(0).clear();

        assertThat(text(line.time(micros))).isEqualTo("\"" + time + "\"");
    }

    @Test
    void largeLine_isNotKeptForTheNextOne() {
        LineBytes line = new LineBytes().text("x".repeat(100_000));
        assertThat(line.array().length).isGreaterThan(100_000);

        line.clear();

        assertThat(line.array().length).isLessThan(100_000);
        assertThat(text(line.text("y"))).isEqualTo("\"y\"");
    }

    private static String text(LineBytes line) {
        return new String(line.copy(), UTF_8);
    }
}
