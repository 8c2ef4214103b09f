package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the front end does with ordinary requests, over both protocols. */
class EdgeServerTest {
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void livez_withoutCredential_isOk() throws Exception {
        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/livez");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("ok");
        }
    }

    @Test
    void hostedCluster_overHttp1_answers() throws Exception {
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> FakeHosted.json(200, "{\"kind\":\"ConfigMapList\"}"));

        try (RawClient client = edge.client()) {
            RawAnswer answer = client.get("/clusters/dev/api/v1/namespaces/x/configmaps?limit=5", TestEdge.ADMIN);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"kind\":\"ConfigMapList\"}");
            assertThat(answer.header("audit-id")).isNotEmpty();
            assertThat(answer.header("cache-control")).isEqualTo("no-cache, private");
            assertThat(dev.requests()).singleElement().satisfies(request -> {
                assertThat(request.info().namespace()).isEqualTo("x");
                assertThat(request.parameter("limit")).isEqualTo("5");
                assertThat(request.user().groups()).containsExactly("fairlead:admins", "system:authenticated");
            });
        }
    }

    @Test
    void attachedCluster_overHttp2_answers() throws Exception {
        RawUpstream prod = edge.attach("prod");
        prod.answer((_, _, out) -> RawUpstream.respond(out, 200, "{\"kind\":\"PodList\"}"));

        try (HttpClient client = edge.http2()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(edge.uri("/clusters/prod/api/v1/pods?limit=%35"))
                            .header("Authorization", "Bearer jane-token")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"kind\":\"PodList\"}");
        }
        assertThat(prod.heads()).singleElement().asString().startsWith("GET /api/v1/pods?limit=%35 HTTP/1.1\r\n");
        assertThat(prod.header("Impersonate-User")).containsExactly("jane");
        assertThat(prod.header("Impersonate-Group")).containsExactly("dev", "ops", "system:authenticated");
        assertThat(prod.header("Authorization")).containsExactly("Bearer " + TestEdge.FAIRLEADS_TOKEN);
        assertThat(prod.received()).doesNotContain("jane-token");
    }
}
