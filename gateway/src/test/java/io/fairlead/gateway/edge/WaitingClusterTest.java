package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.model.ClusterName;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /readyz} of clusters that wait for APIServices. */
final class WaitingClusterTest {
    private static final String FAILED =
            "[-]required-apiservices failed: the condition Available of this Cluster says why\nreadyz check failed\n";

    private TestEdge edge;
    private RawUpstream prod;
    private FakeHosted dev;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        prod = edge.attach("prod");
        dev = edge.host("dev");
    }

    @AfterEach
    void close() throws Exception {
        edge.close();
    }

    private RawAnswer get(String path, String... lines) throws Exception {
        try (RawClient client = edge.client()) {
            return client.get(path, lines);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", "dev"})
    void clusterThatWaits_isNotReady_untilItWaitsNoMore(String cluster) throws Exception {
        String readyz = "/clusters/" + cluster + "/readyz";
        edge.directory.waiting.add(new ClusterName(cluster));

        RawAnswer refused = get(readyz, TestEdge.JANE);
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.body()).isEqualTo(FAILED);
        assertThat(refused.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(get(readyz + "?verbose", TestEdge.JANE).status()).isEqualTo(500);
        assertThat(prod.heads()).isEmpty();
        assertThat(dev.requests()).isEmpty();

        edge.directory.waiting.clear();
        assertThat(get(readyz, TestEdge.JANE).status()).isEqualTo(200);
    }

    @Test
    void everythingElse_isServedAsBefore() throws Exception {
        edge.directory.waiting.add(new ClusterName("prod"));

        for (String path :
                List.of("/livez", "/readyz/ping", "/readyz?exclude=required-apiservices", "/version", "/api/v1/pods")) {
            assertThat(get("/clusters/prod" + path, TestEdge.JANE).status())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(prod.heads()).hasSize(5);
        assertThat(get("/readyz").status()).isEqualTo(200);
    }

    @Test
    void onlyReadsAreAnswered_aHeadWithoutABody() throws Exception {
        edge.directory.waiting.add(new ClusterName("prod"));
        try (RawClient client = edge.client()) {
            RawAnswer head = client.exchange("HEAD", "/clusters/prod/readyz", TestEdge.JANE);
            assertThat(head.status()).isEqualTo(500);
            assertThat(head.body()).isEmpty();
        }
        assertThat(prod.heads()).isEmpty();
        try (RawClient client = edge.client()) {
            client.exchange("DELETE", "/clusters/prod/readyz", TestEdge.JANE);
        }
        assertThat(prod.heads()).hasSize(1);
    }

    @Test
    void strangersLearnNothing() throws Exception {
        edge.directory.waiting.add(new ClusterName("prod"));

        assertThat(get("/clusters/prod/readyz").status()).isEqualTo(401);
    }
}
