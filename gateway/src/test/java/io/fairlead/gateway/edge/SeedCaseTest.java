package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Outcome;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two CRDs serve one group/version in a hosted cluster, in an attached one, and in an attached one with API servers of their own
 * for what CRDs serve. One of the two comes and goes, and its events come late and again, while the other is used.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeedCaseTest {
    private static final Set<HolderType> TYPES =
            EnumSet.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
    private static final int GETS = 1000;
    private static final int CLIENTS = 8;
    private static final int ROUNDS_MIN = 50;
    private static final String FOOS = "foos.example.com";
    private static final String BARS = "bars.example.com";
    private static final String PATH = "/apis/example.com/v1/namespaces/default/bars";

    private final AtomicInteger left = new AtomicInteger(GETS);
    private final AtomicBoolean over = new AtomicBoolean();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        over.set(true);
        edge.close();
    }

    @Test
    void hostedCluster_answersEachFromItsCrdRuntime() throws Exception {
        FakeHosted dev = edge.host("dev");

        getBarsWhileFoosComeAndGo("dev");

        assertThat(dev.handlers()).hasSizeGreaterThanOrEqualTo(GETS).containsOnly(FakeHosted.CRD_RUNTIME);
    }

    @Test
    void attachedCluster_isAskedForEach() throws Exception {
        RawUpstream prod = edge.attach("prod");

        getBarsWhileFoosComeAndGo("prod");

        assertThat(prod.heads()).hasSizeGreaterThanOrEqualTo(GETS);
    }

    @Test
    void attachedClusterWithACrdRuntime_isAskedThereForEach() throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");

        getBarsWhileFoosComeAndGo("prod");

        assertThat(prod.getLast().heads()).hasSizeGreaterThanOrEqualTo(GETS);
        assertThat(prod.getFirst().heads()).isEmpty();
    }

    private void getBarsWhileFoosComeAndGo(String cluster) throws Exception {
        ClusterLedger ledger = edge.index.open(new ClusterName(cluster), TYPES);
        ledger.relist(TYPES, List.of(bars(1)), "10");
        assertThat(ledger.delete(HolderType.CRD, BARS, "bars-1", "11").effect()).isEqualTo(Outcome.Effect.CHANGED);
        assertThat(ledger.upsert(bars(2)).effect()).isEqualTo(Outcome.Effect.CHANGED);
        assertThat(get(cluster)).isEqualTo(200);

        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<List<Integer>>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                answers.add(clients.submit(() -> gets(cluster)));
            }
            for (int round = 0; round < ROUNDS_MIN || left.get() > 0; round++) {
                comesAndGoes(ledger, 10 + round);
                Await.moment();
            }
            over.set(true);
            for (Future<List<Integer>> each : answers) {
                assertThat(each.get()).isNotEmpty().containsOnly(200);
            }
        }
        edge.index.assertConsistent();
    }

    /** One more incarnation of foos, with all that is told late and again of the earlier ones, and of bars. */
    private static void comesAndGoes(ClusterLedger ledger, int incarnation) {
        ledger.upsert(foos(incarnation));
        ledger.delete(HolderType.CRD, BARS, "bars-1", "11");
        ledger.delete(HolderType.CRD, FOOS, "foos-" + (incarnation - 1), revision(incarnation - 1));
        ledger.upsert(bars(1));
        ledger.upsert(bars(2));
        ledger.relist(TYPES, List.of(bars(1)), "10");
        ledger.relist(TYPES, List.of(bars(2), foos(incarnation)), revision(incarnation));
        ledger.delete(HolderType.CRD, FOOS, "foos-" + incarnation, revision(incarnation));
        ledger.upsert(foos(incarnation));
        ledger.delete(HolderType.CRD, FOOS, "foos-" + incarnation, revision(incarnation));
        ledger.markLost(TYPES);
        ledger.markCurrent(TYPES);
        ledger.relist(TYPES, List.of(bars(2)), revision(incarnation));
    }

    private List<Integer> gets(String cluster) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        try (RawClient client = edge.client()) {
            while (left.getAndDecrement() > 0 || !over.get()) {
                statuses.add(
                        client.get("/clusters/" + cluster + PATH, TestEdge.JANE).status());
            }
        }
        return statuses;
    }

    private int get(String cluster) throws Exception {
        try (RawClient client = edge.client()) {
            return client.get("/clusters/" + cluster + PATH, TestEdge.JANE).status();
        }
    }

    private static Holder bars(int incarnation) {
        return crd("bars", "bars-" + incarnation, incarnation == 1 ? "9" : "12");
    }

    private static Holder foos(int incarnation) {
        return crd("foos", "foos-" + incarnation, revision(incarnation));
    }

    private static String revision(int incarnation) {
        return Integer.toString(100 + incarnation);
    }

    private static Holder crd(String plural, String uid, String revision) {
        return new Holder(
                HolderType.CRD,
                plural + ".example.com",
                uid,
                revision,
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural))));
    }
}
