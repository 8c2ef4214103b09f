package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.history.WatchEventType;
import io.fairlead.testkit.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Random streams, whole and changed at random, cut at random: what is read of them is what Jackson reads, and what
 * Jackson refuses is refused.
 */
class JsonEventReaderFuzzTest {
    private static final int ROUNDS = 20_000;

    private static final JsonMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u0041",
            "\\n",
            "\n",
            " ",
            "0",
            "1",
            "-",
            ".",
            "e",
            "E+",
            "true",
            "false",
            "null",
            "nul",
            "\"resourceVersion\":\"7\",",
            "\"metadata\":{",
            "\"object\":",
            "\"type\":\"DELETED\",",
            "\"rows\":[",
            "\u0001",
            "\t",
            "\"\":",
            "1e5",
            "-0",
            "01",
            "\"name\":\"x\",");

    private final long seed = Long.getLong("fuzz.seed", 7);

    @Test
    void streams_areReadAsJacksonReadsThem() {
        int whole = 0;
        int refused = 0;
        int unclear = 0;
        int rounds = Effort.rounds(ROUNDS);
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(seed * 1_000_003 + round);
            String stream = mutated(stream(random), random);
            List<ReadEvent> read = new ArrayList<>();
            boolean broken = !read(stream, random, read);
            List<JsonNode> expected = new ArrayList<>();
            boolean refusedByJackson = !parse(stream, expected);

            assertThat(broken)
                    .as("round %d of seed %d: %s", round, seed, stream)
                    .isEqualTo(refusedByJackson);
            assertThat(read).as("round %d of seed %d: %s", round, seed, stream).hasSameSizeAs(expected);
            for (int i = 0; i < read.size(); i++) {
                ReadEvent event = read.get(i);
                if (event.isClear()) {
                    assertSame(event, expected.get(i), stream);
                } else {
                    unclear++;
                }
            }
            whole += broken ? 0 : 1;
            refused += broken ? 1 : 0;
        }
        assertThat(List.of(whole, refused, unclear)).allMatch(count -> count > rounds / 200);
    }

    private static void assertSame(ReadEvent event, JsonNode expected, String stream) {
        JsonNode object = expected.path("object");
        boolean isTable = object.path("kind").asString("").equals("Table")
                && object.path("apiVersion").asString("").startsWith("meta.k8s.io/");
        boolean ends = ends(object);
        List<ReadVersion> rows = new ArrayList<>();
        for (JsonNode row : object.path("rows").values()) {
            if (row.path("object").isObject()) {
                ends |= ends(row.path("object"));
                rows.add(version(row.path("object")));
            }
        }
        assertThat(event.type())
                .as(stream)
                .isEqualTo(WatchEventType.of(expected.path("type").asString(""), ends));
        assertVersion(event.whole(), version(object), stream);
        assertThat(event.rows()).as(stream).hasSize(isTable ? rows.size() : 0);
        for (int i = 0; i < event.rows().size(); i++) {
            assertVersion(event.rows().get(i), rows.get(i), stream);
        }
    }

    private static void assertVersion(ReadVersion read, ReadVersion expected, String stream) {
        assertThat(read.key()).as(stream).isEqualTo(expected.key());
        assertThat(read.text()).as(stream).isEqualTo(expected.text());
        if (!read.text().isEmpty()) {
            assertThat(stream.substring((int) read.from(), (int) read.to())).isEqualTo(read.text());
        }
    }

    private static ReadVersion version(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asString("");
        String namespace = metadata.path("namespace").asString("");
        return new ReadVersion(
                name.isEmpty() || namespace.isEmpty() ? name : namespace + "/" + name,
                metadata.path("resourceVersion").asString(""),
                0,
                0);
    }

    private static boolean ends(JsonNode object) {
        return object.path("metadata").path("annotations").has("k8s.io/initial-events-end");
    }

    /** Reads in random pieces; false if the stream is no JSON, or its last object is not complete. */
    private static boolean read(String stream, Random random, List<ReadEvent> events) {
        EventReader format = EventFormat.JSON.reader();
        byte[] bytes = stream.getBytes(US_ASCII);
        for (int at = 0; at < bytes.length; ) {
            int end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 200));
            while (at < end) {
                at = format.read(bytes, at, end);
                ReadEvent event = format.take();
                if (event != null) {
                    events.add(event);
                }
            }
        }
        return !format.isBroken() && format.begun() < 0;
    }

    private static boolean parse(String stream, List<JsonNode> objects) {
        try (MappingIterator<JsonNode> values =
                JACKSON.readerFor(JsonNode.class).readValues(stream.getBytes(US_ASCII))) {
            while (true) {
                @Nullable JsonNode next = values.hasNextValue() ? values.nextValue() : null;
                if (next == null) {
                    return true;
                }
                if (!next.isObject()) {
                    return false;
                }
                objects.add(next);
            }
        } catch (JacksonException refused) {
            return false;
        }
    }

    private static String stream(Random random) {
        StringBuilder stream = new StringBuilder();
        for (int count = random.nextInt(4); count >= 0; count--) {
            String version = Integer.toString(random.nextInt(30));
            String row = random.nextBoolean() ? "{\"cells\":[1]}" : "{\"cells\":[],\"object\":" + object(random) + "}";
            String table = random.nextInt(3) > 0
                    ? ""
                    : ",\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"rows\":[" + row + "," + row + "]";
            String object = object(random);
            stream.append("{\"type\":\"")
                    .append(random.nextBoolean() ? "ADDED" : "BOOKMARK")
                    .append("\",\"object\":")
                    .append(object, 0, object.length() - 1)
                    .append(table)
                    .append(
                            random.nextBoolean()
                                    ? ""
                                    : ",\"spec\":{\"a\":[1,2.5,-3e-7,true,null,{\"b\":\"" + version + "\"}]}")
                    .append("}}")
                    .append(random.nextBoolean() ? "\n" : " \r\n");
        }
        return stream.toString();
    }

    private static String object(Random random) {
        String namespace = random.nextBoolean() ? "\"namespace\":\"shop\"," : "";
        String annotations =
                random.nextBoolean() ? ",\"annotations\":{\"a\":\"b\",\"k8s.io/initial-events-end\":\"true\"}" : "";
        return "{\"metadata\":{" + namespace + "\"name\":\"n" + random.nextInt(3) + "\",\"resourceVersion\":\""
                + random.nextInt(100) + "\"" + annotations + "}}";
    }

    private static String mutated(String stream, Random random) {
        StringBuilder text = new StringBuilder(stream);
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(5)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.replace(at, at + 1, piece);
                case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(40))));
                case 3 -> text.setLength(at + 1);
                default -> text.insert(at, piece);
            }
        }
        return text.toString();
    }
}
