package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An attached cluster whose API server's URL has a path: everything that goes there is below it. */
final class BasePathTest {
    private static final String BASE = "/k8s/clusters/c-1";

    private TestEdge edge;
    private RawUpstream server;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        server = edge.attach("direct");
        edge.attach("prod", URI.create(server.url() + BASE), new UpstreamIdentity.Impersonate(false, Set.of()));
    }

    @AfterEach
    void close() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods?limit=1, /api/v1/pods?limit=1",
        "'', /",
        "/openapi/v3/, /openapi/v3/",
        "/api/v1/namespaces/a/pods/b/proxy/x//y?z, /api/v1/namespaces/a/pods/b/proxy/x//y?z"
    })
    void request_isForwardedBelowThePath(String asked, String expected) throws Exception {
        assertThat(ask("/clusters/prod" + asked).status()).isEqualTo(200);

        assertThat(server.heads().getLast()).startsWith("GET " + BASE + expected + " HTTP/1.1\r\n");
    }

    /** The credential may be good for what is beside the path; no caller gets there through this cluster. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../c-2/api",
                "/api/%2e%2e/%2e%2e/c-2/api",
                "/api/..%2f..%2fc-2/api",
                "/api/v1/namespaces/a/pods/b/proxy/../../../../../../../../c-2/api",
                "/api/v1/namespaces/a/pods/b/proxy/..%5c..%5c..%5cc-2",
                "/api/v1/namespaces/a/pods/b/proxy/x/%2e%2e;a/c-2"
            })
    void requestThatCouldLeaveThePath_isNotForwarded(String asked) throws Exception {
        assertThat(ask("/clusters/prod" + asked).status()).isEqualTo(400);

        assertThat(server.received()).isEmpty();
    }

    @Test
    void upgrade_isForwardedBelowThePath() throws Exception {
        server.answer((_, _, out) -> RawUpstream.respond(out, 403, "{}"));

        assertThat(ask(
                                "/clusters/prod/api/v1/namespaces/a/pods/b/exec?command=sh",
                                "Connection: Upgrade",
                                "Upgrade: SPDY/3.1")
                        .status())
                .isEqualTo(403);

        assertThat(server.heads().getLast())
                .startsWith("GET " + BASE + "/api/v1/namespaces/a/pods/b/exec?command=sh HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        BASE + "/openapi/, /clusters/prod/openapi/",
        BASE + "/openapi?x=y#z, /clusters/prod/openapi?x=y#z",
        BASE + ", /clusters/prod/",
        "SERVER" + BASE + "/openapi/, /clusters/prod/openapi/",
        "SERVER" + BASE + ", /clusters/prod/",
        "/openapi/, /clusters/prod/openapi/",
        BASE + "0/openapi/, /clusters/prod" + BASE + "0/openapi/",
        BASE + "/../c-2/openapi/, /clusters/prod/k8s/clusters/c-2/openapi/"
    })
    void location_leadsBelowThePrefixInsteadOfThePath(String location, String expected) throws Exception {
        String told = location.replace("SERVER", server.url().toString());
        server.answer((_, _, out) ->
                RawUpstream.write(out, "HTTP/1.1 301 Moved\r\nLocation: " + told + "\r\nContent-Length: 0\r\n\r\n"));

        assertThat(ask("/clusters/prod/openapi").header("location"))
                .isEqualTo(expected.replace("SERVER", server.url().toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERVER", "SERVER/k8s/clusters/c-2/x", "https://elsewhere.test" + BASE + "/x"})
    void location_besideThePath_isRefused(String location) throws Exception {
        String told = location.replace("SERVER", server.url().toString());
        server.answer((_, _, out) ->
                RawUpstream.write(out, "HTTP/1.1 301 Moved\r\nLocation: " + told + "\r\nContent-Length: 0\r\n\r\n"));

        RawAnswer answer = ask("/clusters/prod/openapi");

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("ClusterRedirected").doesNotContain(told);
    }

    private RawAnswer ask(String target, String... headers) throws Exception {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        try (RawClient client = edge.client()) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n" + more + "\r\n");
            return client.answer(false);
        }
    }
}
