package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiScope;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user of the target may do in the source: what is published, without a right in the source, and no more. */
final class PublishedRightsTest extends PublicationFixture {
    private static final String[] MASTER = {"X-Remote-User: root", "X-Remote-Group: system:masters"};

    @Test
    void publishedResource_needsNoRightInTheSource() throws Exception {
        dev.allow((_, _) -> false);
        RawClient proxy = proxy(east);

        assertThat(proxy.get(BOATS, ANN).status()).isEqualTo(200);
        assertThat(proxy.get(BOATS + "/a/status", ANN).status()).isEqualTo(200);
        proxy.send("POST " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + ANN
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(proxy.answer(false).status()).isEqualTo(200);

        assertThat(dev.requests().stream().map(asked -> asked.info().verb())).containsExactly("list", "get", "create");
        assertThat(keep(edge.client())
                        .get("/clusters/dev" + BOATS, TestEdge.JANE)
                        .status())
                .as("a user of the gateway needs it")
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apis",
                "/apis/example.com",
                "/apis/example.com/v1",
                "/openapi/v2",
                "/openapi/v3",
                "/openapi/v3/apis/example.com/v1?hash=1",
                "/version",
                "/healthz",
                "/livez",
                "/livez/ping",
                "/readyz"
            })
    void discovery_needsNoRightInTheSource(String path) throws Exception {
        dev.allow((_, _) -> false);

        assertThat(proxy(east).get(path, ANN).status()).isEqualTo(200);
        assertThat(dev.requests())
                .singleElement()
                .satisfies(asked -> assertThat(asked.scope())
                        .isEqualTo(new ApiScope.Versions(Set.of(new GroupVersion("example.com", "v1")))));
        assertThat(proxy(east).exchange("POST", path, ANN).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api",
                "/api/v1",
                "/api/v1/secrets",
                "/apis/example.com/v2/boats",
                "/apis/example.com/v2",
                "/apis/example.com.other/v1/boats",
                "/apis/other.example.com",
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "/openapi/v3/api/v1",
                "/fairlead/v1/clusters",
                "/metrics",
                "/livezzz",
                "/logs",
                "/"
            })
    void everythingElse_is403_evenForMastersOfTheTarget(String path) throws Exception {
        RawAnswer answer = proxy(east).get(path, MASTER);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body())
                .contains("\"kind\":\"Status\"", "root", "not published in cluster \\\"east\\\"", "example.com/v1");
        assertThat(dev.requests()).isEmpty();
        assertThat(edge.root.requests()).isEmpty();
    }

    /** What is refused to a user of the target is answered to those of the gateway, so the refusal is of this user. */
    @ParameterizedTest
    @ValueSource(strings = {"/clusters/dev/api/v1/secrets", "/fairlead/v1/clusters", "/metrics"})
    void everythingElse_isServedToAdministratorsOfTheGateway(String path) throws Exception {
        assertThat(keep(edge.client()).get(path, TestEdge.ADMIN).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/clusters/root/apis/example.com/v1/boats, X-A: b, 400",
        "/clusters/nowhere/apis/example.com/v1/boats, X-A: b, 400",
        "/clusters/root/fairlead/v1/clusters, X-A: b, 400",
        "/apis/example.com/v1/boats, X-Kubernetes-Cluster: root, 400",
        "/clusters/dev/apis/example.com/v1/boats, X-Kubernetes-Cluster: dev, 200",
        "/clusters/dev/apis/example.com/v1/boats, X-A: b, 200",
        "/clusters/dev/api/v1/secrets, X-A: b, 403"
    })
    void nameOfAnotherCluster_is400(String path, String header, int status) throws Exception {
        RawAnswer answer = proxy(east).get(path, ANN, header);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(edge.root.requests()).isEmpty();
    }

    @Test
    void impersonation_is403() throws Exception {
        for (String header :
                List.of("Impersonate-User: root", "Impersonate-Group: system:masters", "Impersonate-X: y")) {
            RawAnswer answer = proxy(east).get(BOATS, ANN, header);

            assertThat(answer.status()).as(header).isEqualTo(403);
            assertThat(answer.body()).contains("impersonation is offered in clusters alone");
        }
        assertThat(dev.requests()).isEmpty();
    }

    @Test
    void attachedSource_is403() throws Exception {
        edge.remove("dev");
        RawUpstream attached = edge.attach("dev");

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(403);
        assertThat(attached.received()).isEmpty();
    }

    @Test
    void removedSource_is404() throws Exception {
        edge.remove("dev");

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(404);
    }

    @Test
    void requestThatThisGatewaySentToTheTarget_isNoLoop() throws Exception {
        String via = "Via: 1.1 " + OWN.pseudonym();

        assertThat(proxy(east).get(BOATS, ANN, via).status()).isEqualTo(200);
        assertThat(keep(edge.client())
                        .get("/clusters/dev" + BOATS, TestEdge.JANE, via)
                        .status())
                .isEqualTo(508);
    }

    @Test
    void availabilityCheck_isAnsweredWhileTheSourceIsBusy() throws Exception {
        start(Limited.by(Map.of("limits.shortCallsPerClusterMax", 1)));
        CountDownLatch end = new CountDownLatch(1);
        Semaphore begun = new Semaphore(0);
        dev.answer(asked -> asked.info().resourceRequest() ? held(begun, end) : FakeHosted.json(200, "{}"));
        RawClient busy = proxy(east);
        busy.send("GET " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + ANN + "\r\n\r\n");
        begun.acquire();
        RawClient proxy = proxy(east);
        String[] aggregator = {"X-Remote-User: system:kube-aggregator", "X-Remote-Group: system:masters"};

        assertThat(proxy.get("/apis/example.com/v1", aggregator).status()).isEqualTo(200);
        assertThat(proxy.get("/apis", aggregator).status()).isEqualTo(200);
        assertThat(proxy.get("/apis/example.com/v1", MASTER).status())
                .as("of a user")
                .isEqualTo(429);
        assertThat(proxy.get(BOATS, aggregator).status()).as("no check").isEqualTo(429);
        end.countDown();
        assertThat(busy.answer(false).status()).isEqualTo(200);
    }

    private static ApiResponse held(Semaphore begun, CountDownLatch end) {
        begun.release();
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return FakeHosted.json(200, "{}");
    }

    @Test
    void shares_areCountedByUser() throws Exception {
        start(Limited.by(Map.of("limits.shortCallsPerCallerMax", 1)));
        CountDownLatch end = new CountDownLatch(1);
        Semaphore begun = new Semaphore(0);
        dev.answer(asked -> asked.user().name().equals("ann") ? held(begun, end) : FakeHosted.json(200, "{}"));
        RawClient busy = proxy(east);
        busy.send("GET " + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + ANN + "\r\n\r\n");
        begun.acquire();

        assertThat(proxy(east).get(BOATS, ANN).status()).isEqualTo(429);
        assertThat(proxy(east).get(BOATS, "X-Remote-User: ben").status()).isEqualTo(200);
        end.countDown();
        assertThat(busy.answer(false).status()).isEqualTo(200);
    }

    @Test
    void requests_areCountedForTheSource() throws Exception {
        proxy(east).get(BOATS, ANN);

        assertThat(edge.metrics.scrape())
                .contains("apiserver_request_total{cluster=\"" + new ClusterName("dev") + "\",code=\"200\","
                        + "group=\"example.com\",resource=\"boats\"");
    }
}
