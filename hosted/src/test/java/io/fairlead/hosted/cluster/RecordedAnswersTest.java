package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests, one after another, with the answers that a kube-apiserver 1.36 gave to them: pages of lists, deletions of
 * collections, dry runs, and how problems are told.
 *
 * <p>Recorded without uids, times, resource versions and {@code managedFields}; a token that leads on stands as
 * {@code TOKEN}. The order of several problems is not compared, since upstream's follows the order of Go's maps.
 */
class RecordedAnswersTest {
    private static final String RECORDED = "recorded-answers.json";
    private static final List<String> CHANGING = List.of(
            "uid", "resourceVersion", "creationTimestamp", "managedFields", "deletionTimestamp", "generateName");
    private static final String UID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

    private static final Fixture FIXTURE = new Fixture();
    private static final Api API = FIXTURE.dev();
    private static String token = "";

    @AfterAll
    static void close() {
        FIXTURE.close();
    }

    static Stream<Arguments> steps() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RecordedAnswersTest.class.getResourceAsStream(RECORDED), RECORDED)) {
            return Json.read(in.readAllBytes())
                    .valueStream()
                    .map(step -> Arguments.of(step.path("name").stringValue(), step));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void answer_isThatOfKubeApiserver(String name, JsonNode step) {
        if (step.path("method").stringValue().equals("WAIT")) {
            String path = step.path("path").stringValue();
            Fixture.eventually(name, () -> API.get(path).code() == 200);
            return;
        }
        Answer answer = API.send(
                step.path("method").stringValue(),
                step.path("path").stringValue().replace("TOKEN", token),
                step.path("type").asString("application/json"),
                step.has("body") ? Json.write(step.get("body")) : new byte[0]);
        String next = answer.at("/metadata/continue");
        token = next.isEmpty() ? token : next;

        assertThat(answer.code())
                .as("%s", answer.body())
                .isEqualTo(step.path("code").asInt());
        assertThat(comparable(answer.body())).isEqualTo(comparable((ObjectNode) step.path("answer")));
        assertThat(answer.headers().getOrDefault("Warning", List.of()))
                .isEqualTo(step.path("warnings")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList());
    }

    private static JsonNode comparable(ObjectNode body) {
        ObjectNode comparable = body.deepCopy();
        withoutChanging(comparable);
        if (comparable.path("status").asString("").equals("Failure")) {
            comparable.put("message", words(comparable.path("message").asString("")));
            JsonNode causes = comparable.path("details").path("causes");
            if (causes.isArray()) {
                List<String> texts = new ArrayList<>();
                causes.forEach(cause -> texts.add(cause.toString().replaceAll(UID, "UID")));
                comparable.withObjectProperty("details").put("causes", new TreeSet<>(texts).toString());
            }
        }
        return comparable;
    }

    /** The problems of a message in an order of their own. */
    private static String words(String message) {
        String text = message.replaceAll(UID, "UID");
        int list = text.indexOf(" is invalid: [");
        return list < 0 || !text.endsWith("]")
                ? text
                : text.substring(0, list)
                        + new TreeSet<>(List.of(
                                text.substring(list + 14, text.length() - 1).split(", (?=[a-z]+[.\\[:])")));
    }

    private static void withoutChanging(JsonNode node) {
        if (node instanceof ObjectNode object && object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(CHANGING);
            if (metadata.has("continue")) {
                metadata.put("continue", "TOKEN");
            }
        }
        if (node instanceof ObjectNode object && object.get("details") instanceof ObjectNode details) {
            details.remove("uid");
        }
        if (node instanceof ObjectNode object) {
            object.remove("lastTransitionTime");
        }
        node.forEach(RecordedAnswersTest::withoutChanging);
    }
}
