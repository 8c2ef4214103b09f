package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamFailure.Kind;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What CRDs serve in a cluster whose CRD runtime cannot be asked, and while CRDs come and go: no other server is asked instead. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrdRuntimeRouteTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final GroupVersion V1 = new GroupVersion("example.com", "v1");
    private static final Set<HolderType> TYPES =
            EnumSet.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
    private static final String BOATS = "/clusters/prod/apis/example.com/v1/namespaces/default/boats";
    private static final String DOCKS = "/clusters/prod/apis/other.example.com/v1/docks";
    private static final String PODS = "/clusters/prod/api/v1/pods";
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 750;
    private static final long CHANGE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @CsvSource({"GET, boats", "POST, boats", "DELETE, boats/a", "GET, boats?watch=true", "GET, boats/a/status"})
    void runtimeThatIsDown_makesWhatCrdsServeUnavailable_andNothingElse(String method, String what) throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        relist(boats("7"));
        prod.getLast().close();

        RawAnswer answer = send(method, BOATS.replace("boats", what));
        assertThat(send("GET", PODS).status()).isEqualTo(200);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.body())
                .contains(
                        "CRDRuntimeNotReachable", "cluster \\\"prod\\\": its CRD runtime is not asked: its API server")
                .contains("condition CRDRuntimeReachable")
                .doesNotContain("127.0.0.1");
        assertThat(prod.getFirst().heads()).hasSize(1).allMatch(head -> head.contains("/pods"));
    }

    /** What keeps a request from being sent; neither its own faults, nor too many others, nor that the runtime is named no more. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PROTOCOL", "OVERLOADED", "CLOSED"},
            mode = EnumSource.Mode.EXCLUDE)
    void failureBeforeTheRequestWasSent_is503_withoutTheAddress(Kind kind) throws Exception {
        FakeUpstream base = new FakeUpstream();
        FakeUpstream runtime = new FakeUpstream();
        edge.register(new ClusterEntry.Attached(PROD, backend(base), backend(runtime), _ -> {}, HistoryModes.UNSET));
        relist(boats("7"));

        try (RawClient client = edge.client()) {
            client.send("GET " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = runtime.next();
            call.tell(() -> call.receiver()
                    .onFailure(new UpstreamFailure(kind, "https://10.1.2.3:6443: it is of another cluster", false)));
            RawAnswer answer = client.answer(false);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("CRDRuntimeNotReachable").doesNotContain("10.1.2.3");
            if (kind == Kind.IDENTITY) {
                assertThat(answer.body()).contains("its API server: it is of another cluster");
            }
        }
    }

    @Test
    void runtimeThatRefusesFairleadsCredential_isToldAsTheBaseIs() throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        relist(boats("7"));
        prod.getLast().answer((_, _, out) -> RawUpstream.respond(out, 401, "{}"));

        RawAnswer answer = send("GET", BOATS);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("the cluster refuses Fairlead's credential (401), not the caller's");
    }

    /** What was sent may have been done: that is told as of every API server. */
    @Test
    void failureAfterTheRequestWasSent_isToldAsItIs() throws Exception {
        FakeUpstream runtime = new FakeUpstream();
        edge.register(new ClusterEntry.Attached(
                PROD, backend(new FakeUpstream()), backend(runtime), _ -> {}, HistoryModes.UNSET));
        relist(boats("7"));

        try (RawClient client = edge.client()) {
            client.send("GET " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = runtime.next();
            call.tell(() ->
                    call.receiver().onFailure(new UpstreamFailure(Kind.TIMEOUT, "it did not begin to answer", true)));
            assertThat(client.answer(false).status()).isEqualTo(504);
        }
    }

    /** As kube-apiserver has it, which serves what CRDs define with no other protocol. */
    @Test
    void upgradeOfASubresource_isIgnored() throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        relist(boats("7"));

        try (RawClient client = edge.client()) {
            RawAnswer answer =
                    client.get(BOATS + "/a/status", TestEdge.JANE, "Connection: Upgrade", "Upgrade: SPDY/3.1");
            assertThat(answer.status()).isEqualTo(200);
        }

        assertThat(prod.getLast().heads())
                .singleElement()
                .satisfies(head -> assertThat(head).doesNotContainIgnoringCase("upgrade"));
        assertThat(prod.getFirst().heads()).isEmpty();
    }

    @Test
    void definitionsThatComeAndGo_neverLeadToTheOtherServer() throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        prod.getFirst().answer((_, _, out) -> RawUpstream.respond(out, 200, "base"));
        prod.getLast().answer((_, _, out) -> RawUpstream.respond(out, 200, "runtime"));
        Turns turns = new Turns(relist(crd("docks.other.example.com", "other.example.com", "docks", "1")));
        List<Future<Integer>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> changes = threads.submit(turns);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> ask(turns)));
            }
            int judged = 0;
            for (Future<Integer> client : clients) {
                judged += client.get();
            }
            turns.end();
            changes.get();

            assertThat(judged).as("requests during which nothing changed").isPositive();
            assertThat(turns.count.get()).isGreaterThan(CLIENTS);
        }
        long toRuntime = prod.getLast().heads().size();
        long toBase = prod.getFirst().heads().size();
        assertThat(toRuntime + toBase).isEqualTo((long) CLIENTS * REQUESTS);
        assertThat(routed("crd-runtime")).isEqualTo(toRuntime);
        assertThat(routed("base-handler") + routed("aggregated")).isEqualTo(toBase);
    }

    /** Sends requests and answers of how many of them it was certain to which server they had to go. */
    private int ask(Turns turns) throws Exception {
        int judged = 0;
        try (RawClient client = edge.client()) {
            for (int i = 0; i < REQUESTS; i++) {
                String path = i % 10 == 0 ? DOCKS : i % 10 == 1 ? PODS : BOATS;
                long before = turns.count.get();
                RawAnswer answer = client.get(path, TestEdge.JANE);
                boolean isSettled = before == turns.count.get() && before % 2 == 0;
                assertThat(answer.status()).isEqualTo(200);
                if (!path.equals(BOATS)) {
                    assertThat(answer.body()).isEqualTo(path.equals(DOCKS) ? "runtime" : "base");
                } else if (isSettled) {
                    assertThat(answer.body()).isEqualTo(Turns.servedByACrd(before) ? "runtime" : "base");
                    judged++;
                }
            }
        }
        return judged;
    }

    private long routed(String route) {
        return edge.metrics
                .scrape()
                .lines()
                .filter(line ->
                        line.startsWith("fairlead_requests_routed_total{cluster=\"prod\",route=\"" + route + "\"}"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private RawAnswer send(String method, String path) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(method, path, TestEdge.JANE, "Content-Length: 0");
        }
    }

    private static ClusterEntry.Backend backend(FakeUpstream upstream) {
        return new ClusterEntry.Backend(
                upstream,
                List.of(URI.create("https://10.1.2.3:6443")),
                new UpstreamIdentity.Impersonate(false, Set.of()));
    }

    private ClusterLedger relist(Holder... holders) {
        ClusterLedger ledger = edge.index.open(PROD, TYPES);
        ledger.relist(TYPES, List.of(holders), "9");
        return ledger;
    }

    private static Holder boats(String revision) {
        return crd("boats.example.com", "example.com", "boats", revision);
    }

    private static Holder crd(String name, String group, String plural, String revision) {
        return new Holder(
                HolderType.CRD,
                name,
                "u-" + name + "-" + revision,
                revision,
                List.of(Contribution.of(new GroupVersion(group, "v1"), Set.of(plural))));
    }

    /**
     * Changes what serves boats, about five hundred times a second: a CRD, a CRD and an APIService, the APIService alone, nothing.
     * The count is odd while a change is being made.
     */
    private static final class Turns implements Runnable {
        private final ClusterLedger ledger;
        private final AtomicLong count = new AtomicLong();
        private final AtomicInteger revision = new AtomicInteger(10);
        private volatile boolean ended;
        private Holder boats = boats("9");

        Turns(ClusterLedger ledger) {
            this.ledger = ledger;
        }

        static boolean servedByACrd(long count) {
            return count / 2 % 4 == 1;
        }

        void end() {
            ended = true;
        }

        @Override
        public void run() {
            while (!ended) {
                count.incrementAndGet();
                turn((int) (count.get() / 2 % 4), String.valueOf(revision.incrementAndGet()));
                count.incrementAndGet();
                LockSupport.parkNanos(CHANGE_NANOS);
            }
        }

        private void turn(int step, String now) {
            switch (step) {
                case 0 -> {
                    Holder older = boats;
                    boats = boats(now);
                    ledger.upsert(boats);
                    ledger.delete(HolderType.CRD, older.name(), older.uid(), now); // Late, of the one before.
                }
                case 1 ->
                    ledger.upsert(new Holder(
                            HolderType.API_SERVICE,
                            "v1.example.com",
                            "u-s" + now,
                            now,
                            List.of(Contribution.unlisted(V1))));
                case 2 -> ledger.delete(HolderType.CRD, boats.name(), boats.uid(), now);
                default -> ledger.delete(HolderType.API_SERVICE, "v1.example.com", serviceUid(), now);
            }
        }

        private String serviceUid() {
            return ledger.view()
                    .holder(HolderType.API_SERVICE, "v1.example.com")
                    .orElseThrow()
                    .uid();
        }
    }
}
