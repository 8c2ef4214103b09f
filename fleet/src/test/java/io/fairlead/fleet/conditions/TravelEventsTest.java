package io.fairlead.fleet.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionRow;
import io.fairlead.index.conditions.ConditionStore.Added;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.List;
import java.util.Set;
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

    private void travelled(String namespace) throws InterruptedException {
        AttachedCalls calls = new AttachedCalls(
                new ClusterEntry.Attached(
                        PROD,
                        new ClusterEntry.Backend(server, List.of(), new UpstreamIdentity.Impersonate(false, Set.of())),
                        null,
                        _ -> {},
                        HistoryModes.UNSET),
                AnswerLimits.of(1L << 30),
                () -> isMoved);
        ConditionRow row = new ConditionRow(
                Instant.EPOCH, ConditionVerdict.TRAVELLED, new ConditionClaim("True", "2026-01-02T11:00:00Z", "7", ""));
        events.travelled(new Added(new ObjectKey(PROD, namespace, "web"), "u", "Ready", row), "v1", "Pod", calls);
    }
}
