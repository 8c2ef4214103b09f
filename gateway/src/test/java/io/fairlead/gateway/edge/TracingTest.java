package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.Verdict;
import io.fairlead.gateway.limits.RatePerSecond;
import io.fairlead.gateway.tracing.Collector;
import io.fairlead.gateway.tracing.Collector.ReceivedSpan;
import io.fairlead.gateway.tracing.SpanExport;
import io.fairlead.gateway.tracing.TraceMetrics;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.model.UserInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The spans of requests, as a collector gets them, and the context that API servers get. */
class TracingTest {
    private static final String POD = "/clusters/prod/api/v1/namespaces/secret-space/pods/secret-pod";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";
    private static final String SAMPLED = "traceparent: 00-" + TRACE + "-" + PARENT + "-01";
    private static final String UNSAMPLED = "traceparent: 00-" + TRACE + "-" + PARENT + "-00";
    private static final String STATE = "tracestate: congo=t61rcWkgMzE";
    private static final String SLOW = "Authorization: Bearer slow-token";
    private static final int ALL = 1_000_000;
    private static final long SERVER = 2;
    private static final long CLIENT = 3;

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger tooMany = new AtomicInteger();
    private final TraceMetrics metrics = new TraceMetrics() {
        @Override
        public void tooManyAskedFor() {
            tooMany.incrementAndGet();
        }
    };

    private Collector collector;
    private SpanExport export;
    private TestEdge edge;
    private RawUpstream prod;

    @BeforeEach
    void begin() throws Exception {
        collector = new Collector();
        start(0, Limited.BY_DEFAULT);
    }

    private void start(int samplesPerMillion, Configuration configuration) throws Exception {
        export = SpanExport.start(
                collector.url(), "1.2.3", "this-one", 64 * 1024, metrics, (_, failure) -> failure.printStackTrace());
        edge = new TestEdge(
                configuration,
                new Tracing(
                        samplesPerMillion,
                        new RatePerSecond<>(configuration.limits().tracesAskedForPerSecondMax(), () -> 0),
                        export,
                        metrics,
                        Clock.systemUTC(),
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextLong()),
                new TokenAuthenticator() {
                    @Override
                    public Verdict atOnce(Bearer bearer) {
                        return bearer.token().equals("slow-token")
                                ? new Verdict.NotYet()
                                : new Verdict.NotMine("TokenUnknown");
                    }

                    @Override
                    public Verdict judge(Bearer bearer) {
                        return TracingTest.this.judge();
                    }
                });
        prod = edge.attach("prod");
    }

    private Verdict judge() {
        try {
            answered.await();
            return new Verdict.Accepted(new Identity.OfGateway(UserInfo.of("ann", List.of("fairlead:admins"))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void end() throws Exception {
        answered.countDown();
        stop();
        collector.close();
    }

    private void stop() throws Exception {
        edge.close();
        export.close();
    }

    @Test
    void requestOfATracedClient_hasASpanForItself_andOneForTheServersFirstByte() throws Exception {
        Instant before = Instant.now();
        prod.answer((_, _, out) -> RawUpstream.respond(out, 404, "{}"));
        get(POD + "/log?container=secret-container", TestEdge.JANE, SAMPLED, STATE, "Audit-Id: of-the-client");

        List<ReceivedSpan> spans = spans(2);
        ReceivedSpan own = ofKind(spans, SERVER);
        assertThat(own.name()).isEqualTo("GET /api/v1/namespaces/{namespace}/pods/{name}/log");
        assertThat(own.trace()).isEqualTo(TRACE);
        assertThat(own.parent()).isEqualTo(PARENT);
        assertThat(own.state()).isEqualTo("congo=t61rcWkgMzE");
        assertThat(own.flags()).isEqualTo(0x301);
        assertThat(own.isError()).isFalse();
        assertThat(own.attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "http.request.method", "GET",
                        "http.route", "/api/v1/namespaces/{namespace}/pods/{name}/log",
                        "http.response.status_code", "404",
                        "url.scheme", "https",
                        "client.address", "127.0.0.1",
                        "k8s.cluster.name", "prod",
                        "fairlead.verb", "get",
                        "fairlead.audit_id", "of-the-client"));

        ReceivedSpan call = ofKind(spans, CLIENT);
        assertThat(call.trace()).isEqualTo(TRACE);
        assertThat(call.parent()).isEqualTo(own.id());
        assertThat(call.attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "http.request.method", "GET",
                        "http.response.status_code", "404",
                        "k8s.cluster.name", "prod"));
        assertThat(prod.header("traceparent")).containsExactly("00-" + TRACE + "-" + call.id() + "-01");
        assertThat(prod.header("tracestate")).containsExactly("congo=t61rcWkgMzE");

        assertThat(nanos(before)).isLessThanOrEqualTo(own.began());
        assertThat(own.began()).isLessThanOrEqualTo(call.began());
        assertThat(call.began()).isLessThan(call.ended());
        assertThat(call.ended()).isLessThanOrEqualTo(own.ended());
        assertThat(own.ended()).isLessThanOrEqualTo(nanos(Instant.now()));
        assertThat(collector.resources())
                .contains(Map.of(
                        "service.name", "fairlead",
                        "service.version", "1.2.3",
                        "service.instance.id", "this-one"));
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
    }

    @Test
    void requestThatWaits_hasASpanForEachStage_alsoIfItIsRefusedThere() throws Exception {
        stop();
        start(0, Limited.by(Map.of("limits.shortCallsPerClusterMax", 1, "limits.queueWait", "150ms")));
        FakeUpstream fake = new FakeUpstream();
        edge.attach("fake", fake);
        String pods = "/clusters/fake/api/v1/pods";
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            first.send("GET " + pods + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call underWay = fake.next();
            second.send("GET " + pods + " HTTP/1.1\r\nHost: localhost\r\n" + SLOW + "\r\n" + SAMPLED + "\r\n\r\n");
            answered.countDown();
            assertThat(second.answer(false).status()).isEqualTo(429);
            underWay.finish();
        }

        List<ReceivedSpan> spans = spans(1);
        ReceivedSpan own = ofKind(spans, SERVER);
        assertThat(own.attributes()).containsEntry("http.response.status_code", "429");
        assertThat(own.isError()).isFalse();
        assertThat(spans).extracting(ReceivedSpan::name).contains("authenticate", "queue");
        assertThat(spans)
                .filteredOn(span -> span.name().equals("queue"))
                .singleElement()
                .satisfies(queue -> {
                    assertThat(queue.parent()).isEqualTo(own.id());
                    assertThat(queue.ended() - queue.began()).isGreaterThanOrEqualTo(100_000_000);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                UNSAMPLED,
                "traceparent: not-one",
                SAMPLED + "\r\n" + SAMPLED,
            })
    void contextOfWhatIsNotTraced_goesOnAsItCame(String given) throws Exception {
        get(POD, TestEdge.JANE, given, STATE);

        assertThat(prod.header("traceparent"))
                .isEqualTo(given.lines()
                        .map(line -> line.substring("traceparent: ".length()))
                        .toList());
        assertThat(prod.header("tracestate")).containsExactly("congo=t61rcWkgMzE");
        get(POD, TestEdge.JANE, SAMPLED);
        assertThat(calls(2)).hasSize(2);
    }

    @Test
    void requestOfNoTrace_isChosenByChance_andBeginsOne() throws Exception {
        get(POD, TestEdge.JANE);
        assertThat(prod.header("traceparent")).isEmpty();
        stop();
        start(ALL, Limited.BY_DEFAULT);

        get(POD, TestEdge.JANE, STATE);
        get(POD, TestEdge.JANE, UNSAMPLED);

        List<ReceivedSpan> spans = spans(2);
        ReceivedSpan own = ofKind(spans, SERVER);
        assertThat(own.parent()).isEmpty();
        assertThat(own.flags()).isEqualTo(0x101);
        assertThat(prod.heads().getFirst())
                .as("a state without its trace")
                .doesNotContain("tracestate")
                .contains("00-" + own.trace() + "-" + ofKind(spans, CLIENT).id() + "-01");
        assertThat(prod.header("traceparent")).containsExactly(UNSAMPLED.substring("traceparent: ".length()));
    }

    @Test
    void watchesAndUpgrades_areTracedLikeOthers() throws Exception {
        get("/clusters/prod/api/v1/pods?watch=1", TestEdge.JANE, SAMPLED);
        assertThat(prod.header("traceparent"))
                .containsExactly("00-" + TRACE + "-" + ofKind(calls(2), CLIENT).id() + "-01");

        prod.answer((_, _, out) -> RawUpstream.respond(out, 403, "{}"));
        assertThat(status(POD + "/exec", TestEdge.JANE, SAMPLED, "Connection: Upgrade", "Upgrade: SPDY/3.1"))
                .isEqualTo(403);
        assertThat(prod.header("upgrade")).containsExactly("SPDY/3.1");
        ReceivedSpan call = calls(4).stream()
                .filter(span ->
                        span.kind() == CLIENT && "403".equals(span.attributes().get("http.response.status_code")))
                .findFirst()
                .orElseThrow();
        assertThat(prod.header("traceparent")).containsExactly("00-" + TRACE + "-" + call.id() + "-01");
    }

    /** Clients without a credential could otherwise fill the collector. */
    @Test
    void callerWhoIsNotKnown_cannotHaveItsRequestsTraced() throws Exception {
        assertThat(status("/clusters/prod/api", "Authorization: Bearer none", SAMPLED))
                .isEqualTo(401);
        assertThat(status("/clusters/prod/api", SAMPLED)).isEqualTo(401);
        assertThat(status("/livez", TestEdge.JANE, SAMPLED)).isEqualTo(200);
        get(POD, TestEdge.JANE, SAMPLED);

        assertThat(calls(2))
                .hasSize(2)
                .extracting(span -> span.attributes().get("http.response.status_code"))
                .containsOnly("200");
    }

    @Test
    void callerWhoIsNotKnown_causesNoSpans_alsoWhereAllRequestsAreChosen() throws Exception {
        stop();
        start(ALL, Limited.BY_DEFAULT);

        assertThat(status("/clusters/secret/api/v1/secrets", "Authorization: Bearer none"))
                .isEqualTo(401);
        assertThat(status("/clusters/secret/api/v1/secrets")).isEqualTo(401);
        get(POD, TestEdge.JANE);

        assertThat(calls(2))
                .hasSize(2)
                .extracting(span -> span.attributes().get("http.response.status_code"))
                .containsOnly("200");
    }

    /** It could otherwise fill the queue, and leave no room for the spans of others. */
    @Test
    void callerWhoWantsTooMuchTraced_isFollowedNoMoreInThatSecond_andOthersAre() throws Exception {
        stop();
        start(0, Limited.by(Map.of("limits.tracesAskedForPerSecondMax", 2)));

        for (int i = 0; i < 4; i++) {
            get(POD, TestEdge.JANE, SAMPLED, STATE);
        }
        assertThat(prod.header("traceparent"))
                .as("of what is not traced, as it came")
                .containsExactly(SAMPLED.substring("traceparent: ".length()));
        get(POD, TestEdge.ADMIN, SAMPLED);

        assertThat(calls(6)).hasSize(6);
        assertThat(tooMany).hasValue(2);
    }

    @Test
    void requestBeyondWhatItsCallerMayHaveTraced_isChosenByChance() throws Exception {
        stop();
        start(ALL, Limited.by(Map.of("limits.tracesAskedForPerSecondMax", 1)));

        for (int i = 0; i < 3; i++) {
            get(POD, TestEdge.JANE, SAMPLED);
        }

        assertThat(calls(6)).extracting(ReceivedSpan::trace).containsOnly(TRACE);
        assertThat(tooMany).hasValue(2);
    }

    @Test
    void noSpan_hasNamesOrCredentialsOrTextOfAnyLength() throws Exception {
        String longResource = "x".repeat(5_000);
        get(
                POD + "?token=secret-query&fieldSelector=a%3Dsecret-field",
                TestEdge.JANE,
                SAMPLED,
                "Cookie: secret-cookie",
                "User-Agent: secret-agent",
                "X-Secret: secret-header");
        get(
                "/clusters/prod/apis/example.com/v1/" + longResource + "/secret-name",
                TestEdge.JANE,
                SAMPLED,
                "tracestate: a=" + "y".repeat(600));
        get("/clusters/prod/openapi/v3/secret-document", TestEdge.JANE, SAMPLED);

        assertThat(spans(6)).extracting(ReceivedSpan::name).contains("GET /openapi/*");
        assertThat(collector.bodies())
                .allSatisfy(
                        body -> assertThat(body).doesNotContain("secret", "jane", "x".repeat(257), "y".repeat(257)));
        assertThat(prod.received())
                .as("what goes to the server is the test's")
                .contains("secret-query", "secret-agent");
    }

    @Test
    void failureOfAServer_isAnError() throws Exception {
        prod.answer((_, _, out) -> out.close());

        assertThat(status(POD, TestEdge.JANE, SAMPLED)).isEqualTo(502);

        assertThat(calls(2)).allSatisfy(span -> {
            assertThat(span.isError()).isTrue();
            assertThat(span.attributes()).containsEntry("error.type", "502");
        });
    }

    private void get(String target, String... lines) throws Exception {
        assertThat(status(target, lines)).isIn(200, 404);
    }

    private int status(String target, String... lines) throws Exception {
        try (RawClient client = edge.client()) {
            return client.get(target, lines).status();
        }
    }

    /** All spans, once there are so many of requests and of calls to servers; what they waited for depends on the moment. */
    private List<ReceivedSpan> spans(int count) {
        Await.until(
                () -> collector.spans().stream().filter(TracingTest::isOfCall).count() >= count);
        return collector.spans();
    }

    private List<ReceivedSpan> calls(int count) {
        return spans(count).stream().filter(TracingTest::isOfCall).toList();
    }

    private static boolean isOfCall(ReceivedSpan span) {
        return span.kind() == SERVER || span.kind() == CLIENT;
    }

    private static ReceivedSpan ofKind(List<ReceivedSpan> spans, long kind) {
        return spans.stream().filter(span -> span.kind() == kind).findFirst().orElseThrow();
    }
}
