package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.model.Status;
import io.fairlead.testkit.LogLines;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the log says of requests that were refused. */
class RefusedRequestsTest {
    private static final Peer PEER =
            new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), null, List.of());

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void refusedRequest_isLoggedWithWhoSentWhat() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("logRefusedPerSecondMax", 100)));
                LogLines log = new LogLines(RefusedRequests.class)) {
            RawUpstream prod = edge.attach("prod");
            prod.answer((head, in, out) ->
                    out.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII)));
            exchange(
                    edge,
                    "GET",
                    "/clusters/prod/api/v1/pods?token=secret",
                    "Authorization: Bearer nobody",
                    "Audit-ID: a1");
            exchange(edge, "DELETE", "/clusters/prod/api/v1/namespaces/web", TestEdge.JANE, "Audit-ID: a2");

            assertThat(log.texts())
                    .containsExactly(
                            "INFO Refused a request code=401 reason=TokenUnknown method=GET"
                                    + " path=/clusters/prod/api/v1/pods cluster=prod"
                                    + " user= address=127.0.0.1 auditId=a1 leftOut=0",
                            "INFO Refused a request code=403 method=DELETE path=/clusters/prod/api/v1/namespaces/web"
                                    + " cluster=prod user=jane address=127.0.0.1 auditId=a2 leftOut=0");
        }
    }

    @Test
    void requestOfNobody_isLoggedWithWhatIsWrongWithItsCredential() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("logRefusedPerSecondMax", 100)));
                LogLines log = new LogLines(RefusedRequests.class)) {
            exchange(edge, "GET", "/api/v1/pods");
            exchange(edge, "GET", "/api/v1/pods", "Authorization: Basic bm9ib2R5OnNlY3JldA==");
            try (RawClient client = edge.client(new TestPki().client("CN=jane"))) {
                client.get("/api/v1/pods");
            }
            try (RawClient client = edge.client(edge.pki.expiredClient("CN=jane"))) {
                client.get("/api/v1/pods");
                client.get("/api/v1/pods", "Authorization: Bearer nobody");
            }
            try (RawClient client = edge.client(edge.pki.client("O=dev"))) {
                client.get("/api/v1/pods");
            }

            assertThat(log.texts())
                    .extracting(line -> line.replaceFirst(".* reason=([^ ]*) .*", "$1"))
                    .containsExactly(
                            "NoCredential",
                            "NoBearerToken",
                            "CertificateOfAnotherCA",
                            "CertificateExpired",
                            "CertificateExpired,TokenUnknown",
                            "CertificateWithoutUser");
            assertThat(log.texts())
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("INFO Refused a request code=401 ")
                            .doesNotContain("jane", "nobody", "bm9ib2R5"));
        }
    }

    @Test
    void requestOfAKnownCaller_hasNoSuchReason() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("logRefusedPerSecondMax", 100)));
                LogLines log = new LogLines(RefusedRequests.class)) {
            edge.root.allow((user, request) -> false);

            exchange(edge, "GET", "/clusters/prod/api/v1/pods", TestEdge.JANE);

            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("code=403")
                    .doesNotContain("reason=");
        }
    }

    @Test
    void longPath_isCut() throws Exception {
        try (TestEdge edge = new TestEdge(Limited.by(Map.of("logRefusedPerSecondMax", 100)));
                LogLines log = new LogLines(RefusedRequests.class)) {
            exchange(edge, "GET", "/" + "x".repeat(2_000), "Authorization: Bearer nobody", "Audit-ID: a1");

            assertThat(log.texts())
                    .containsExactly("INFO Refused a request code=401 reason=TokenUnknown method=GET path=/"
                            + "x".repeat(255) + "… cluster=root user= address=127.0.0.1 auditId=a1 leftOut=0");
        }
    }

    @Test
    void byDefault_nothingIsLogged() throws Exception {
        try (TestEdge edge = new TestEdge();
                LogLines log = new LogLines(RefusedRequests.class)) {
            assertThat(exchange(edge, "GET", "/api/v1/pods", "Authorization: Bearer nobody"))
                    .isEqualTo(401);

            assertThat(log.texts()).isEmpty();
        }
    }

    @Test
    void moreInASecond_areCounted() {
        RefusedRequests requests = new RefusedRequests(2, nanos::get);
        try (LogLines log = new LogLines(RefusedRequests.class)) {
            for (int i = 0; i < 5; i++) {
                requests.refused(PEER, Status.of(429, "TooManyRequests", "slower"));
            }
            requests.refused(PEER, Status.of(431, "RequestHeaderFieldsTooLarge", "shorter"));
            nanos.addAndGet(1_000_000_000);
            requests.refused(PEER, Status.of(429, "TooManyRequests", "slower"));

            assertThat(log.texts())
                    .containsExactly(
                            "INFO Refused a request code=429 address=127.0.0.1 leftOut=0",
                            "INFO Refused a request code=429 address=127.0.0.1 leftOut=0",
                            "INFO Refused a request code=429 address=127.0.0.1 leftOut=3");
        }
    }

    private static int exchange(TestEdge edge, String method, String path, String... lines) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(method, path, lines).status();
        }
    }
}
