package io.fairlead.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class HistoryCheckCommandTest extends HistoryCheckFixture {
    /** As kube-apiserver sends a watch of ConfigMaps with {@code sendInitialEvents} and {@code allowWatchBookmarks}. */
    private static final String RECORDING = """
        {"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"0f6c4b1e-3c26-4d12-9f57-1d1f6a1f0a01","resourceVersion":"2817","creationTimestamp":"2026-03-01T09:05:07Z"},"data":{"replicas":"2"}}}
        {"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"shop","uid":"0f6c4b1e-3c26-4d12-9f57-1d1f6a1f0a02","resourceVersion":"2790","creationTimestamp":"2026-03-01T09:05:01Z","annotations":{"kubernetes.io/description":"Contains a CA bundle, \\"resourceVersion\\":\\"1\\""}}}}
        {"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2830","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}}}}
        {"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"0f6c4b1e-3c26-4d12-9f57-1d1f6a1f0a01","resourceVersion":"2841","creationTimestamp":"2026-03-01T09:05:07Z"},"data":{"replicas":"3"}}}
        {"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"db","namespace":"shop","uid":"0f6c4b1e-3c26-4d12-9f57-1d1f6a1f0a03","resourceVersion":"2850","creationTimestamp":"2026-03-01T09:06:12Z"}}}
        {"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2911","creationTimestamp":null}}}
        {"type":"DELETED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"db","namespace":"shop","uid":"0f6c4b1e-3c26-4d12-9f57-1d1f6a1f0a03","resourceVersion":"2920","creationTimestamp":"2026-03-01T09:06:12Z"}}}
        """;

    @TempDir
    private Path folder;

    @Test
    void recordedWatch_isClean() {
        assertThat(check(RECORDING, "--send-initial-events")).isZero();

        assertThat(out).hasToString("7 events, 2 bookmarks, 0 not comparable, 0 travelled\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void recordedWatchOfAFile_isTheSame() throws IOException {
        Path file = Files.writeString(folder.resolve("watch.ndjson"), RECORDING);

        assertThat(check("", file.toString())).isZero();
        assertThat(check(RECORDING, "-")).isZero();

        assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("7 events, 2 bookmarks"));
    }

    /** The recording goes on after the last deletion with what came before. */
    @Test
    void recordedWatch_withARepeatedPart_travelled() {
        String repeated = RECORDING.lines().skip(3).reduce("", (text, line) -> text + line + "\n");

        assertThat(check(RECORDING + repeated)).isEqualTo(2);

        assertThat(out.toString().lines())
                .containsExactly(
                        "line 8: MODIFIED shop/web: rewind: resourceVersion 2841 is below 2920, an older state after"
                                + " newer ones; the guard would answer 410 Expired and end the watch",
                        "line 9: ADDED shop/db: rewind: resourceVersion 2850 is below 2920, an older state after newer"
                                + " ones; the guard would answer 410 Expired and end the watch",
                        "line 10: BOOKMARK: stale bookmark: resourceVersion 2911 is below 2920, from which a client"
                                + " would resume in the past; the guard would drop it",
                        "11 events, 3 bookmarks, 0 not comparable, 3 travelled (2 rewind, 1 stale bookmark)");
    }

    @Test
    void deleteWithTheObjectsOldVersion_isNamedWithTheVersionThatItWouldGet() {
        String watch = event("ADDED", "a", "5") + event("ADDED", "b", "6") + event("ADDED", "c", "7");

        assertThat(check(watch + event("DELETED", "a", "5"))).isEqualTo(2);

        assertThat(out)
                .hasToString("line 4: DELETED shop/a: stale delete: resourceVersion 5 is below 7, a deletion with the"
                        + " version that the object had before; the guard would forward it with resourceVersion"
                        + " 7\n"
                        + "4 events, 0 bookmarks, 0 not comparable, 1 travelled (1 stale delete)\n");
    }

    @Test
    void deleteThatComesAgain_isAReplay() {
        String watch = event("ADDED", "a", "5") + event("DELETED", "a", "8") + event("ADDED", "b", "9");

        assertThat(check(watch + event("DELETED", "a", "7"))).isEqualTo(2);

        assertThat(out.toString())
                .startsWith("line 4: DELETED shop/a: replayed delete: resourceVersion 7 is below 9, and the watch has"
                        + " shown the object at a higher version already; the guard would answer 410 Expired and"
                        + " end the watch\n");
    }

    @Test
    void modifiedAfterANewerVersion_travelled() {
        assertThat(check(event("MODIFIED", "x", "12") + event("MODIFIED", "x", "9")))
                .isEqualTo(2);

        assertThat(out.toString()).contains("line 2: MODIFIED shop/x: rewind: ", " 9 ", " 12", "410 Expired");
    }

    @Test
    void resourceVersion_isWhereTheWatchBegins() {
        String watch = event("ADDED", "a", "9") + event("ADDED", "b", "6");

        assertThat(check(watch)).isZero();
        assertThat(check(watch, "--resource-version", "0")).isZero();
        assertThat(check(watch, "--resource-version", "10", "--send-initial-events"))
                .isZero();
        assertThat(check(watch, "--resource-version", "5")).isEqualTo(2);
        assertThat(out.toString()).contains("line 2: ADDED shop/b: rewind").doesNotContain("line 1");
        assertThat(check(watch, "--resource-version", "10")).isEqualTo(2);
        assertThat(out.toString()).contains("line 1: ADDED shop/a: rewind: resourceVersion 9 is below 10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "007", "1.5", "-1"})
    void resourceVersionThatNoWatchHas_isWrongUsage(String text) {
        assertThat(check("", "--resource-version", text)).isEqualTo(64);

        assertThat(err.toString())
                .startsWith("error: option --resource-version ")
                .contains("hint: ");
    }

    @Test
    void endOfInitialEvents_isForwardedWithTheHighWaterMark() {
        String bookmark = RECORDING.lines().skip(2).findFirst().orElseThrow().replace("2830", "2800");

        assertThat(check(RECORDING.lines().findFirst().orElseThrow() + "\n" + bookmark))
                .isEqualTo(2);

        assertThat(out.toString())
                .startsWith(
                        "line 2: BOOKMARK: stale initial events end: resourceVersion 2800 is below 2817, from which a"
                                + " client would resume in the past; the guard would forward it with resourceVersion"
                                + " 2817\n");
    }

    @Test
    void cluster_scopedObject_isNamedAlone() {
        String node = "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"%s\"}}}\n";

        assertThat(check(node.formatted("12") + node.formatted("9"))).isEqualTo(2);

        assertThat(out.toString()).startsWith("line 2: MODIFIED n: rewind");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "007", "-1"})
    void versionThatIsNotComparable_isSaid(String version) {
        assertThat(check(event("MODIFIED", "a", "9") + event("MODIFIED", "b", version) + event("MODIFIED", "c", "5")))
                .isZero();

        assertThat(out).hasToString("3 events, 0 bookmarks, 2 not comparable, 0 travelled\n");
        assertThat(err)
                .hasToString("warning: standard input: line 2: MODIFIED shop/b: resourceVersion \"" + version
                        + "\" cannot be ordered; no version is compared from here on\n");
    }

    @Test
    void versionOf300Digits_isNotComparable_andShortInTheMessage() {
        assertThat(check(event("MODIFIED", "b", "1".repeat(300)))).isZero();

        assertThat(err.toString()).contains("\"" + "1".repeat(256) + "…\" cannot be ordered");
    }

    @Test
    void eventWithoutVersion_leavesTheOthersGuarded() {
        assertThat(check(event("MODIFIED", "a", "9") + event("MODIFIED", "b", "") + event("MODIFIED", "c", "5")))
                .isEqualTo(2);

        assertThat(out.toString()).endsWith("3 events, 0 bookmarks, 1 not comparable, 1 travelled (1 rewind)\n");
    }

    @Test
    void error_isCounted_andNotJudged() {
        String expired = "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                + "\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410}}\n";

        assertThat(check(event("ADDED", "a", "9") + expired)).isZero();

        assertThat(out).hasToString("2 events, 0 bookmarks, 1 error, 0 not comparable, 0 travelled\n");
    }

    @Test
    void json_hasCountsAndFindings() {
        assertThat(check(event("MODIFIED", "x", "12") + event("MODIFIED", "x", "9"), "-o", "json"))
                .isEqualTo(2);

        assertThat(Json.text(Json.read(out.toString())))
                .isEqualTo("{\"file\":\"standard input\",\"events\":2,\"bookmarks\":0,\"errors\":0,\"notComparable\":0,"
                        + "\"notJudged\":0,\"travelled\":1,\"findings\":[{\"line\":2,\"type\":\"MODIFIED\","
                        + "\"object\":\"shop/x\",\"resourceVersion\":\"9\",\"highWater\":\"12\",\"kind\":\"rewind\","
                        + "\"guard\":\"answer 410 Expired and end the watch\"}]}");
    }

    @Test
    void jsonOfManyFindings_hasTheFirstThousand_andCountsAll() {
        String watch =
                event("MODIFIED", "x", "12") + event("MODIFIED", "x", "9").repeat(1_500);

        assertThat(check(watch, "-o", "json")).isEqualTo(2);

        JsonNode document = Json.read(out.toString());
        assertThat(document.path("travelled").asInt(0)).isEqualTo(1_500);
        assertThat(document.path("findings")).hasSize(CheckReport.FINDINGS_MAX);
    }

    @Test
    void name_isTheObjectThatTravelled() {
        String bookmark = "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"3\"}}}\n";

        assertThat(check(event("MODIFIED", "x", "12") + event("MODIFIED", "y", "9") + bookmark, "-o", "name"))
                .isEqualTo(2);

        assertThat(out).hasToString("shop/y\nBOOKMARK\n");
    }
}
