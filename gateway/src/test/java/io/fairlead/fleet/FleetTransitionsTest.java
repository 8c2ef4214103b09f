package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.fleet.availability.Transition;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Whether a cluster was Ready at a time, as its own API says to those who may enter it. */
final class FleetTransitionsTest extends FleetFixture {
    private static final String PATH = "/fairlead/v1/clusters/dev/transitions";

    @Test
    void transitions_areThoseOfTheConditionReady() {
        pauseAndServeAgain();

        JsonNode answer = Json.read(text(ROOT, "GET", PATH).getBytes(UTF_8));

        assertThat(answer.path("cluster").asString("")).isEqualTo("dev");
        assertThat(answer.path("epoch").asLong(0)).isPositive();
        assertThat(answer.has("historyConsistent")).as("nothing judges it yet").isFalse();
        List<JsonNode> rows = List.copyOf(answer.path("transitions").values());
        assertThat(rows.stream().map(FleetTransitionsTest::words).toList())
                .containsSubsequence("True Ready", "False Paused", "True Ready");
        assertThat(rows.getFirst().path("firstSight").asBoolean(false)).isTrue();
        assertThat(rows.stream().skip(1))
                .noneMatch(row -> row.path("firstSight").asBoolean(true));
        assertThat(rows.stream().map(row -> row.path("observed").asString("")).map(Instant::parse))
                .isSorted();
    }

    @Test
    void at_isTheStateThatTheLastTransitionBeforeItBegan() {
        pauseAndServeAgain();
        List<Transition> all = fleet.availability().of(DEV);
        Transition paused = all.stream()
                .filter(each -> each.reason().equals("Paused"))
                .findFirst()
                .orElseThrow();
        Transition after = all.get(all.indexOf(paused) + 1);

        JsonNode during = at(paused.observed().toString());
        assertThat(words(during)).isEqualTo("False Paused");
        assertThat(during.path("since").asString(""))
                .isEqualTo(paused.observed().toString());
        assertThat(during.path("until").asString("")).isEqualTo(after.observed().toString());
        assertThat(during.path("restarted").asBoolean(true)).isFalse();

        JsonNode now = at(Instant.now().toString());
        assertThat(words(now)).isEqualTo("True Ready");
        assertThat(now.has("until")).isFalse();
        assertThat(words(at("2020-01-02T03:14:00+01:00"))).isEqualTo("Unknown NotObserved");
    }

    @Test
    void restart_isSeenWhereItWas() {
        Instant before = Instant.now();
        restart(60, again -> {
            eventually("dev is seen again", () -> firstSights(again).size() == 2);

            assertThat(firstSights(again).getLast().observed()).isAfter(before.plusSeconds(50));
            assertThat(again.availability().of(DEV).getFirst())
                    .isEqualTo(firstSights(fleet).getFirst());
        });
    }

    @ParameterizedTest
    @CsvSource({"yesterday, expected a time in RFC 3339", "2999-01-01T00:00:00Z, is to come"})
    void timeThatIsNone_isRefusedByName(String at, String problem) {
        assertThat(catchThrowableOfType(StatusException.class, () -> at(at))
                        .status()
                        .message())
                .contains("query parameter \"at\": \"" + at + "\"", problem);
    }

    @Test
    void callers_seeNothingOfAClusterThatTheyMayNotEnter() {
        String hidden = refusal(JANE, "GET", PATH).message();

        assertThat(refusal(JANE, "GET", PATH).code()).isEqualTo(403);
        assertThat(refusal(JANE, "GET", "/fairlead/v1/clusters/none/transitions")
                        .message())
                .isEqualTo(hidden);
        assertThat(refusal(ROOT, "GET", "/fairlead/v1/clusters/none/transitions")
                        .code())
                .isEqualTo(404);
        assertThat(refusal(ROOT, "POST", PATH).code()).isEqualTo(405);
    }

    @Test
    void deletedCluster_leavesNothing() {
        delete("dev");

        assertThat(refusal(ROOT, "GET", PATH).code()).isEqualTo(404);
        assertThat(fleet.availability().of(DEV)).isEmpty();
        eventually(
                "what was stored is collected",
                () -> root.send(
                                        ADMIN,
                                        "GET",
                                        "/api/v1/namespaces/fairlead-system/configmaps/cluster-transitions-dev",
                                        "")
                                .code()
                        == 404);
    }

    private void pauseAndServeAgain() {
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: true}}");
        awaitReady("dev", "False", "Paused");
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: false}}");
        awaitReady("dev", "True", "Ready");
    }

    private static List<Transition> firstSights(Fleet fleet) {
        return fleet.availability().of(DEV).stream()
                .filter(Transition::isFirstSight)
                .toList();
    }

    private JsonNode at(String time) {
        AdminRequest request = new AdminRequest(ROOT, "GET", PATH, Map.of("at", List.of(time)), Map.of());
        return Json.read(((ApiResponse.Whole) api.serve(request)).body()).path("at");
    }

    private static String words(JsonNode state) {
        return state.path("ready").asString("") + " " + state.path("reason").asString("");
    }
}
