package io.fairlead.schema.protobuf;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.TypedDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares with objects that Go wrote; {@code schema/src/types} writes them again. */
class ProtobufTest {
    private static final JsonNode SAMPLES = samples();

    static Stream<Arguments> samplesOfGo() {
        return SAMPLES.valueStream()
                .map(sample -> Arguments.of(
                        sample.at("/json/kind").asString(),
                        sample.get("json"),
                        Base64.getDecoder().decode(sample.get("protobuf").stringValue())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samplesOfGo")
    void read_ofWhatGoWrote_isTheSameObject(String kind, ObjectNode json, byte[] protobuf) {
        assertThat(decoded(Protobuf.read(protobuf))).isEqualTo(json);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samplesOfGo")
    void write_isWhatGoWrites(String kind, ObjectNode json, byte[] protobuf) {
        assertThat(HexFormat.of().formatHex(Protobuf.write(json)))
                .isEqualTo(HexFormat.of().formatHex(protobuf));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samplesOfGo")
    void decode_ofTheJsonThatGoWrote_changesNothing(String kind, ObjectNode json, byte[] protobuf) {
        assertThat(decoded(json)).isEqualTo(json);
    }

    @Test
    void samples_areOfEveryKindAndNotEmpty() {
        assertThat(SAMPLES).hasSizeGreaterThan(120);
        assertThat(SAMPLES.findValuesAsString("x-kubernetes-preserve-unknown-fields"))
                .isNotEmpty();
        assertThat(SAMPLES.findValues("additionalProperties")).isNotEmpty();
        assertThat(SAMPLES.findValues("renewTime")).isNotEmpty();
    }

    /**
     * As {@code time_proto.go} and {@code micro_time_proto.go} read it: the first second of the year 1 is no time, the epoch
     * is one, and what the type does not have is left out.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1970-01-01T00:00:00",
        "0, 999, 1970-01-01T00:00:00",
        "1, 1999, 1970-01-01T00:00:01.000001",
        "1, -1, 1970-01-01T00:00:01",
        "-62135596800, 0, ",
        "-62135596800, 999, ",
        "-62135596799, 0, 0001-01-01T00:00:01",
        "253402300799, 999999999, 9999-12-31T23:59:59.999999",
    })
    void read_ofTimes_isWhatGoReads(long seconds, long nanos, @Nullable String time) {
        assertThat(time("coordination/v1.LeaseSpec", 4, seconds, nanos)
                        .path("renewTime")
                        .stringValue(null))
                .isEqualTo(time == null ? null : time.length() < 20 ? time + ".000000Z" : time + "Z");
        assertThat(time("meta/v1.ObjectMeta", 9, seconds, nanos)
                        .path("deletionTimestamp")
                        .stringValue(null))
                .isEqualTo(time == null ? null : time.substring(0, 19) + "Z");
    }

    @Test
    void read_ofAnEmptyTime_isNone() {
        ProtobufWriter outer = new ProtobufWriter();
        outer.bytes(4, new byte[0]);

        assertThat(read("coordination/v1.LeaseSpec", outer.bytes())
                        .path("renewTime")
                        .stringValue(null))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {253402300800L, -62167219201L, Long.MAX_VALUE, Long.MIN_VALUE})
    void read_ofAYearThatHasNotFourDigits_isRefused(long seconds) {
        assertThatThrownBy(() -> time("coordination/v1.LeaseSpec", 4, seconds, 0))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("a time of " + seconds + " seconds is out of range");
    }

    @Test
    void read_ofDamagedBytes_isRefusedOrReadAndNeverFailsOtherwise() {
        long seed = 20;
        Random random = new Random(seed);
        int refused = 0;
        for (Arguments sample : samplesOfGo().toList()) {
            byte[] bytes = ((byte[]) sample.get()[2]).clone();
            for (int i = 0; i < 30; i++) {
                byte[] damaged = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                refused += isRefused(damaged) ? 1 : 0;
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(3000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6b", "6b387300", "{\"kind\":\"ConfigMap\"}", "6b3873000a0f0a02763112094e6f53756368"})
    void read_ofNoObject_isRefused(String body) {
        byte[] bytes = body.startsWith("{")
                ? body.getBytes(StandardCharsets.UTF_8)
                : HexFormat.of().parseHex(body);

        assertThatThrownBy(() -> Protobuf.read(bytes)).isInstanceOf(UnreadableDocumentException.class);
    }

    @Test
    void read_ofMessagesNestedTooDeep_isRefused() {
        byte[] schema = new byte[0];
        for (int i = 0; i < 2 * Json.DEPTH_MAX; i++) {
            ProtobufWriter outer = new ProtobufWriter();
            outer.bytes(28, schema);
            schema = outer.bytes();
        }
        byte[] message = schema;
        ProtobufReader reader = new ProtobufReader(message, 0, message.length);

        assertThatThrownBy(() -> reader.struct(ApiTypes.named("apiextensions/v1.JSONSchemaProps"), Json.object(), 0))
                .hasMessageContaining("nest deeper than 256 levels");
    }

    @Test
    void frame_isItsLengthAndAnEventWithTheEnvelope() {
        ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");

        ByteBuffer frame = ByteBuffer.wrap(Protobuf.frame("ADDED", object));

        assertThat(frame.getInt()).isEqualTo(frame.remaining());
        byte[] event = new byte[frame.remaining()];
        frame.get(event);
        assertThat(HexFormat.of().formatHex(event)).startsWith("0a05" + "4144444544" + "12");
        byte[] enveloped = Protobuf.write(object);
        assertThat(Arrays.copyOfRange(event, event.length - enveloped.length, event.length))
                .isEqualTo(enveloped);
    }

    private static JsonNode time(String type, int field, long seconds, long nanos) {
        ProtobufWriter timestamp = new ProtobufWriter();
        timestamp.number(1, seconds);
        timestamp.number(2, nanos);
        ProtobufWriter outer = new ProtobufWriter();
        outer.bytes(field, timestamp.bytes());
        return read(type, outer.bytes());
    }

    private static JsonNode read(String type, byte[] message) {
        return new ProtobufReader(message, 0, message.length).struct(ApiTypes.named(type), Json.object(), 0);
    }

    private static boolean isRefused(byte[] body) {
        try {
            decoded(Protobuf.read(body));
            return false;
        } catch (UnreadableDocumentException e) {
            return true;
        }
    }

    private static ObjectNode decoded(ObjectNode object) {
        var type = requireNonNull(ApiTypes.ofKind(
                object.get("apiVersion").stringValue(), object.get("kind").stringValue()));
        TypedDecoder.Decoded decoded = TypedDecoder.decode(type, object, "", false);
        assertThat(decoded.unknownFields()).isEmpty();
        return decoded.problem() == null ? decoded.tree() : Json.object();
    }

    private static JsonNode samples() {
        try (InputStream in = requireNonNull(ProtobufTest.class.getResourceAsStream("samples.json"))) {
            return Json.read(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
