package io.fairlead.schema.typed;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares with what Go made of the same texts; {@code schema/src/types} writes it again. */
class GoTimeTest {
    private static final GoType.Struct LEASE = ApiTypes.named("coordination/v1.LeaseSpec");
    private static final GoType.Struct METADATA = ApiTypes.named("meta/v1.ObjectMeta");
    private static final int MESSAGE_MAX = 2_200;

    static Stream<Arguments> timesOfGo() {
        return lines().map(Json::read).map(line -> Arguments.of(line.get(0).stringValue(), line.get(1), line.get(2)));
    }

    @ParameterizedTest
    @MethodSource("timesOfGo")
    void time_isWhatGoMakesOfIt(String text, JsonNode time, JsonNode microTime) {
        assertThat(decoded(METADATA, "deletionTimestamp", text)).isEqualTo(readable(text, time));
        assertThat(decoded(LEASE, "renewTime", text)).isEqualTo(readable(text, microTime));
    }

    @Test
    void times_areManyOfEachSort() {
        List<JsonNode> results = timesOfGo()
                .flatMap(line -> Stream.of(line.get()[1], line.get()[2]))
                .map(JsonNode.class::cast)
                .toList();
        assertThat(results).hasSizeGreaterThan(250);
        assertThat(results).filteredOn(JsonNode::isNull).hasSizeGreaterThan(3);
        assertThat(results)
                .filteredOn(result -> !result.asString("").startsWith("error"))
                .hasSizeGreaterThan(40);
    }

    /** Go shows the whole of it, twice. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "9", "\u0000", "\u20ac", "\""})
    void refusalOfALongText_showsItsBeginning(String part) {
        String problem = problem(METADATA, "deletionTimestamp", "2026-01-02T03:04:05Z" + part.repeat(1_000_000));

        assertThat(problem)
                .startsWith("parsing time \"2026-01-02T03:04:05Z")
                .contains(": extra text: \"")
                .endsWith("...\"")
                .hasSizeLessThan(MESSAGE_MAX);
    }

    /** As Go reads it from JSON. */
    @Test
    void halfASurrogatePair_isTheReplacementCharacter() {
        assertThat(problem(METADATA, "deletionTimestamp", "\ud83d"))
                .isEqualTo("parsing time \"\\xef\\xbf\\xbd\" as \"2006-01-02T15:04:05Z07:00\": cannot parse"
                        + " \"\\xef\\xbf\\xbd\" as \"2006\"");
    }

    /** Go writes these with a year that it cannot read again. */
    @ParameterizedTest
    @CsvSource({
        "0000-01-01T00:00:00.000000+00:01",
        "9999-12-31T23:59:59.999999-00:01",
    })
    void yearThatGoCannotRead_isRefused(String text) {
        String expected = "parsing time \"" + text + "\": year outside of range [0,9999]";

        assertThat(problem(METADATA, "deletionTimestamp", text)).isEqualTo(expected);
        assertThat(problem(LEASE, "renewTime", text)).isEqualTo(expected);
    }

    @Test
    void storedTimeThatIsNone_isDropped() {
        ObjectNode stored =
                Json.object().put("renewTime", "2026-01-02T03:04:05Z").put("holderIdentity", "a");

        assertThat(TypedDecoder.decode(LEASE, stored, "", true).tree())
                .isEqualTo(Json.object().put("holderIdentity", "a"));
    }

    /** What is compared: null for a time that is not there, {@code error} and the problem for one that is refused. */
    private static JsonNode decoded(GoType.Struct type, String field, String text) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(type, Json.object().put(field, text), "", false);
        if (decoded.problem() != null) {
            return Json.nodes().stringNode("error " + decoded.problem());
        }
        return decoded.tree().has(field)
                ? decoded.tree().get(field)
                : Json.nodes().nullNode();
    }

    private static String problem(GoType.Struct type, String field, String text) {
        return requireNonNull(TypedDecoder.decode(type, Json.object().put(field, text), "", false)
                .problem());
    }

    /** What Go makes of it, unless it has a year that Go itself could not read again. */
    private static JsonNode readable(String text, JsonNode ofGo) {
        return ofGo.asString("").matches("(-|[0-9]{5}).*")
                ? Json.nodes().stringNode("error parsing time \"" + text + "\": year outside of range [0,9999]")
                : ofGo;
    }

    private static Stream<String> lines() {
        try (InputStream table = requireNonNull(GoTimeTest.class.getResourceAsStream("times.jsonl"))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
