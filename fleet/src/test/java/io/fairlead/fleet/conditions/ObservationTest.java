package io.fairlead.fleet.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.FakeServer;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conditions.TimeLine;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What becomes a row of what is said of objects, however often they are listed. */
final class ObservationTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final ObjectKey WEB = new ObjectKey(PROD, "shop", "web-0");

    private final FakeServer server = new FakeServer(_ -> {});
    private final Informers informers = new Informers(_ -> server.entry(PROD, false), _ -> 1, Instant::now);
    private final ConditionStore store = new ConditionStore(List.of("Ready"), 1_000_000);
    private final List<Integer> handedOver = new ArrayList<>();
    private final Observation observation =
            new Observation(PROD, store, () -> Instant.EPOCH, (rows, _, _) -> handedOver.add(rows.size()));

    @AfterEach
    void close() {
        informers.close();
    }

    @Test
    void objectThatIsListedAgain_addsARow_onlyIfItIsAnotherThanBefore() {
        list("5", pod("web-0", "5", "True", 1));
        observation.seen(pod("web-0", "6", "False", 2));

        list("7", pod("web-0", "6", "False", 2));
        list("7", pod("web-0", "6", "False", 2));
        assertThat(statuses()).containsExactly("True", "False");

        list("9", pod("web-0", "9", "True", 1));
        assertThat(verdicts())
                .containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.STATED, ConditionVerdict.TRAVELLED);
    }

    @Test
    void objectThatAListHasNoMore_isRemoved() {
        list("5", pod("web-0", "5", "True", 1));

        list("7", pod("web-1", "6", "True", 2));

        assertThat(verdicts()).containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.REMOVED);
    }

    @Test
    void listThatFailed_removesNothing_andDoesNotCountForTheNext() {
        list("5", pod("web-0", "5", "True", 1), pod("web-1", "5", "True", 1));
        observation.listing();
        observation.seen(pod("web-0", "5", "True", 1));
        assertThat(verdicts()).containsExactly(ConditionVerdict.FIRST_SIGHT);

        list("7", pod("web-1", "5", "True", 1));

        assertThat(verdicts()).containsExactly(ConditionVerdict.FIRST_SIGHT, ConditionVerdict.REMOVED);
    }

    @Test
    void objectOfAListThatIsLongerThanTheStore_isNotTakenForGone() {
        JsonNode[] pods = new JsonNode[1_000];
        pods[0] = pod("web-0", "5", "True", 1);
        for (int i = 1; i < pods.length; i++) { // without the condition, so that nothing is kept of them
            pods[i] = Json.read(("{\"metadata\": {\"namespace\": \"shop\", \"name\": \"other-" + i
                            + "\", \"uid\": \"b\", \"resourceVersion\": \"5\"}}")
                    .getBytes(UTF_8));
        }
        list("5", pods);
        list("5", pods);

        assertThat(verdicts()).containsExactly(ConditionVerdict.FIRST_SIGHT);
    }

    @Test
    void rows_areHandedOverOnce() throws Exception {
        ClusterCalls calls = calls();
        list("5", pod("web-0", "5", "True", 1), pod("web-1", "5", "True", 1));
        observation.flush("Pod", calls);
        observation.flush("Pod", calls);
        observation.removed(pod("web-0", "6", "True", 1));
        observation.flush("Pod", calls);

        assertThat(handedOver).containsExactly(2, 0, 1);
    }

    private ClusterCalls calls() throws CallFailure {
        return informers.calls(PROD);
    }

    private void list(String version, JsonNode... pods) {
        observation.listing();
        for (JsonNode pod : pods) {
            observation.seen(pod);
        }
        observation.listed(version);
    }

    private static JsonNode pod(String name, String version, String status, int minute) {
        return Json.read("""
            {"metadata": {"namespace": "shop", "name": "%s", "uid": "a", "resourceVersion": "%s"}, "status": {"conditions": [
            {"type": "Ready", "status": "%s", "lastTransitionTime": "2026-01-02T12:0%d:00Z"}]}}
            """.formatted(name, version, status, minute).getBytes(UTF_8));
    }

    private List<ConditionRow> rows() {
        TimeLine line = store.of(WEB).get("Ready");
        return line == null ? List.of() : line.rows();
    }

    private List<String> statuses() {
        return rows().stream().map(row -> row.claim().status()).toList();
    }

    private List<ConditionVerdict> verdicts() {
        return rows().stream().map(ConditionRow::verdict).toList();
    }
}
