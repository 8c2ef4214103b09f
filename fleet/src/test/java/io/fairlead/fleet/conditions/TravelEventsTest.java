package io.fairlead.fleet.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.FakeServer;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionStore.Added;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where events about conditions that travelled are written, with Fairlead's own credential. */
final class TravelEventsTest {
    private static final ClusterName PROD = new ClusterName("prod");

    private final FakeServer server = new FakeServer(answer -> answer.of(201, "{}"));
    private final TravelEvents events = new TravelEvents();
    private boolean isMoved;

    @Test
    void event_isWrittenIntoTheNamespaceOfItsObject_orIntoDefault() throws Exception {
        travelled("shop");
        travelled("");

        assertThat(server.asked)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("POST /api/v1/namespaces/shop/events "),
                        second -> assertThat(second).startsWith("POST /api/v1/namespaces/default/events "));
    }

    /** As an aggregated API server may name it that is not the cluster administrator's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop/services/web:80/proxy/admin/delete?x=",
                "../../../apis/apps/v1/namespaces/shop/deployments#",
                "shop%2fpods",
                "a b",
                "."
            })
    void namespaceThatIsNone_leadsToNoOtherPath(String namespace) throws Exception {
        travelled(namespace);

        assertThat(server.asked).isEmpty();
    }

    @Test
    void clusterThatMoved_isNotWrittenTo() throws Exception {
        isMoved = true;

        travelled("shop");

        assertThat(server.asked).isEmpty();
    }

    private void travelled(String namespace) throws CallFailure, InterruptedException {
        ConditionRow row = new ConditionRow(
                Instant.EPOCH, ConditionVerdict.TRAVELLED, new ConditionClaim("True", "2026-01-02T11:00:00Z", "7", ""));
        Added added = new Added(new ObjectKey(PROD, namespace, "web"), "u", "Ready", row);
        try (Informers informers = new Informers(_ -> server.entry(PROD, isMoved), _ -> 1, Instant::now)) {
            events.travelled(added, "v1", "Pod", informers.calls(PROD));
        }
    }
}
