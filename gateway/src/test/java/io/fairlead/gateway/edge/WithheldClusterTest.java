package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.select.Selector;
import io.fairlead.http.Via;
import io.fairlead.model.ClusterName;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused for the identity of a cluster: loops, writes to another cluster, and what goes on where another one stays. */
class WithheldClusterTest {
    private static final String PODS = "/clusters/prod/api/v1/namespaces/shop/pods";
    private static final ClusterName PROD = new ClusterName("prod");

    private TestEdge edge;
    private FakeUpstream upstream;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(
                Limited.BY_DEFAULT, new Selector(ClusterName.ROOT, List.of(), null, new Via("fairlead-own")));
        upstream = new FakeUpstream();
        register(false);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void requestThatCameBack_is508_andGoesNoFurther() throws Exception {
        try (RawClient client = edge.client()) {
            RawClient.RawAnswer answer = client.get(PODS, "Via: 1.1 other, 1.1 fairlead-own");

            assertThat(answer.status()).isEqualTo(508);
            assertThat(answer.body()).contains("\"reason\":\"LoopDetected\"", "ClusterIdentitySelf");
            assertThat(upstream.isAsked()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void clusterThatMoved_isNotWrittenTo(String method) throws Exception {
        register(true);
        try (RawClient client = edge.client()) {
            RawClient.RawAnswer answer = client.exchange(method, PODS, "Content-Length: 0", TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("ClusterIdentityMoved", "fairlead cluster confirm prod");
            assertThat(upstream.isAsked()).isFalse();
        }
    }

    /** What a workload answers may change something, whatever the method. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/clusters/prod/api/v1/namespaces/shop/services/web/proxy/reset",
                "/clusters/prod/api/v1/proxy/namespaces/shop/services/web/reset",
                "/clusters/prod/api/v1/nodes/n/proxy/run/x?watch=1"
            })
    void workloadsOfAClusterThatMoved_areNotAsked(String path) throws Exception {
        register(true);
        try (RawClient client = edge.client()) {
            RawClient.RawAnswer answer = client.get(path, TestEdge.JANE);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(upstream.isAsked()).isFalse();
        }
    }

    @Test
    void clusterThatMoved_isRead() throws Exception {
        register(true);
        try (RawClient client = edge.client()) {
            client.send("GET " + PODS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");

            upstream.next().answer(200, "content-type: application/json");
            assertThat(client.head().status()).isEqualTo(200);
        }
    }

    @Test
    void watchesOfAClusterThatIsWithheld_endWith410() throws Exception {
        try (RawClient client = edge.client()) {
            client.send("GET " + PODS + "?watch=1 HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
            FakeUpstream.Call call = upstream.next();
            call.answer(200, "content-type: application/json");
            assertThat(client.head().status()).isEqualTo(200);

            edge.directory.withhold(PROD);

            assertThat(client.chunk()).contains("\"code\":410", "ClusterIdentityConflict");
            assertThat(client.chunk()).isEmpty();
            assertThat(call.event()).isEqualTo("cancel");
        }
    }

    private void register(boolean holdsWrites) {
        edge.register(new ClusterEntry.Attached(
                PROD,
                new ClusterEntry.Backend(
                        upstream,
                        List.of(URI.create("https://upstream.test")),
                        new UpstreamIdentity.Impersonate(false, Set.of())),
                null,
                _ -> {},
                HistoryModes.UNSET,
                holdsWrites));
    }
}
