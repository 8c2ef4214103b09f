package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.pins.judge.Boats;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.DefinedType;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write to a hosted cluster is held against what its type is when all of it is there. */
class PinnedBodyTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final String BOATS = "/clusters/dev/apis/example.com/v1/namespaces/default/boats";

    private TestEdge edge;
    private FakeHosted dev;
    private ClusterLedger ledger;
    private DefinedType pinned;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        dev = edge.host("dev");
        ledger = edge.index.open(new ClusterName("dev"), CRDS);
        pinned = Boats.upTo(8, edge.index);
        define(pinned);
        edge.pins.use(new PinSet(List.of(new TypePin(
                "p",
                new ClusterSet.All(Map::of),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                new Requirement.OneOf(Set.of(pinned.api())),
                Set.of(),
                Action.DENY))));
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void definitionThatChangesWhileTheBodyIsHeldBack_isTheOneThatCounts() throws Exception {
        try (RawClient client = edge.client()) {
            sendHeadAndSomeBody(client);
            define(Boats.upTo(10, edge.index));
            client.send("}");

            RawAnswer answer = client.answer(false);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("TypePin \\\"p\\\"");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void digestThatChangesWhileTheBodyIsHeldBack_isTheOneThatCounts() throws Exception {
        edge.pins.use(new PinSet(List.of()));
        try (RawClient client = edge.client()) {
            sendHeadAndSomeBody(client, "Fairlead-Type-Digest: " + pinned.api());
            define(Boats.upTo(10, edge.index));
            client.send("}");

            assertThat(client.answer(false).status()).isEqualTo(412);
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void definitionThatIsRepairedWhileTheBodyIsHeldBack_isTheOneThatCounts() throws Exception {
        define(Boats.upTo(10, edge.index));
        try (RawClient client = edge.client()) {
            sendHeadAndSomeBody(client);
            define(pinned);
            client.send("}");

            assertThat(client.answer(false).status()).isEqualTo(200);
        }
        assertThat(dev.requests()).hasSize(1);
    }

    /** Returns when the body is being read. */
    private void sendHeadAndSomeBody(RawClient client, String... lines) throws Exception {
        client.send("POST " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n"
                + String.join(
                        "", List.of(lines).stream().map(line -> line + "\r\n").toList())
                + "\r\n");
        assertThat(client.head().status()).isEqualTo(100);
        client.send("{");
    }

    private void define(DefinedType type) {
        ledger.relist(CRDS, List.of(Boats.crd("boats", type)), "");
    }
}
