package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** What API servers have sent, on every way on which clients watch: both protocols, both formats, after a list and as a list. */
class HistoryCasesTest extends FakeUpstreamFixture {
    private static final String PATH = "/clusters/fake/api/v1/configmaps?watch=1&allowWatchBookmarks=true&";

    /** A way to watch. */
    record Way(boolean isHttp2, boolean isProtobuf, boolean isStreamingList) {
        String contentType() {
            return isProtobuf ? "application/vnd.kubernetes.protobuf;stream=watch" : "application/json";
        }

        /** From a list at version 4, or the objects of then in the order of their names. */
        String query() {
            return isStreamingList
                    ? "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                    : "resourceVersion=4&timeoutSeconds=60";
        }

        String beginning() {
            return isStreamingList
                    ? event("ADDED", "old", "4") + event("ADDED", "older", "2") + event("BOOKMARK", "", "4")
                    : "";
        }

        /** Both forms, so short that every byte is a character. */
        String event(String type, String name, String version) {
            ObjectNode object = Json.object().put("kind", "ConfigMap").put("apiVersion", "v1");
            ObjectNode metadata = object.putObject("metadata").put("resourceVersion", version);
            if (name.isEmpty()) {
                metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
            } else {
                metadata.put("name", name);
            }
            if (isProtobuf) {
                return new String(Protobuf.frame(type, object), ISO_8859_1);
            }
            ObjectNode event = Json.object().put("type", type);
            event.set("object", object);
            return Json.text(event) + "\n";
        }
    }

    static Stream<Way> ways() {
        return Stream.of(false, true)
                .flatMap(http2 -> Stream.of(false, true)
                        .flatMap(protobuf -> Stream.of(false, true).map(list -> new Way(http2, protobuf, list))));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void deletionWithItsObjectsVersion_comesWithTheNewestOne_soThatNothingIsReadAgain(Way way) throws Exception {
        List<String> before =
                List.of(way.event("ADDED", "a", "5"), way.event("ADDED", "b", "6"), way.event("ADDED", "c", "7"));

        assertThat(received(way, before, way.event("DELETED", "a", "5"), way.event("MODIFIED", "b", "8")))
                .isEqualTo(way.beginning()
                        + String.join("", before)
                        + way.event("DELETED", "a", "7")
                        + way.event("MODIFIED", "b", "8"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void olderState_isReplacedBy410(Way way) throws Exception {
        List<String> before = List.of(way.event("ADDED", "x", "10"), way.event("MODIFIED", "x", "12"));
        String received = received(way, before, way.event("MODIFIED", "x", "9"), "");

        assertThat(received)
                .startsWith(way.beginning() + String.join("", before))
                .contains("ERROR", "Expired", "WatchWentBackwards", "x after resourceVersion 12")
                .doesNotContain(way.event("MODIFIED", "x", "9"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void objectThatLeavesTheSelector_isForwardedAsItIs(Way way) throws Exception {
        List<String> sent = List.of(way.event("ADDED", "a", "5"), way.event("DELETED", "a", "8"));

        assertThat(received(way, sent, way.event("ADDED", "a", "9"), ""))
                .isEqualTo(way.beginning() + String.join("", sent) + way.event("ADDED", "a", "9"));
    }

    /** Versions that cannot be ordered: what comes then is forwarded as it is. */
    @ParameterizedTest
    @MethodSource("ways")
    void versionsThatAreNoNumbers_passUnjudged(Way way) throws Exception {
        for (String version : List.of("abc", "0", "007", "-1", "1".repeat(300))) {
            if (way.isProtobuf() && version.length() > 50) {
                continue; // Its length is no character.
            }
            List<String> before = List.of(way.event("ADDED", "a", "9"), way.event("MODIFIED", "b", version));

            assertThat(received(way, before, way.event("MODIFIED", "c", "5"), ""))
                    .isEqualTo(way.beginning() + String.join("", before) + way.event("MODIFIED", "c", "5"));
        }
    }

    /** Numbers of many digits are ordered, by length and then by digits. */
    @ParameterizedTest
    @MethodSource("ways")
    void versionsOfManyDigits_areOrdered(Way way) throws Exception {
        for (int digits : List.of(19, 20, 40)) {
            String newest = "2" + "0".repeat(digits - 1);
            String older = "1" + "9".repeat(digits - 1);

            assertThat(received(way, List.of(way.event("ADDED", "a", newest)), way.event("DELETED", "b", older), ""))
                    .isEqualTo(way.beginning() + way.event("ADDED", "a", newest) + way.event("DELETED", "b", newest));
        }
    }

    /** What the client gets of a beginning, of events, of one that may go back, and of what comes after it. */
    private String received(Way way, List<String> before, String travelling, String after) throws Exception {
        String target = PATH + way.query();
        if (way.isHttp2()) {
            try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
                var stream = client.open(
                        RawHttp2Client.head("GET", target)
                                .add("authorization", "Bearer jane-token")
                                .add("accept", way.contentType()),
                        true);
                play(way, before, travelling, after);
                StringBuilder data = new StringBuilder();
                assertThat(stream.next()).isEqualTo("head 200");
                for (String frame = stream.next(); !frame.equals("end"); frame = stream.next()) {
                    assertThat(frame).startsWith("data ");
                    data.append(frame, "data ".length(), frame.length());
                }
                return data.toString();
            }
        }
        try (RawClient client = edge.client()) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + way.contentType() + "\r\n"
                    + TestEdge.JANE + "\r\n\r\n");
            play(way, before, travelling, after);
            return chunks(client);
        }
    }

    private static String chunks(RawClient client) throws IOException {
        assertThat(client.head().status()).isEqualTo(200);
        StringBuilder data = new StringBuilder();
        for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
            data.append(chunk);
        }
        return data.toString();
    }

    /** In pieces that end within events. */
    private void play(Way way, List<String> before, String travelling, String after) throws InterruptedException {
        FakeUpstream.Call call = fake.next();
        call.answer(200, "content-type: " + way.contentType());
        String sent = way.beginning() + String.join("", before) + travelling + after;
        for (String piece : Arrays.asList(sent.substring(0, sent.length() / 3), sent.substring(sent.length() / 3))) {
            call.data(piece);
        }
        call.tell(() -> call.receiver().onEnd());
    }
}
