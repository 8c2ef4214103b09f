package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.gateway.Limited;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is recorded of requests, from their heads to their answers. */
class AuditTest extends AuditFixture {
    @Test
    void hostedRequest_hasALineWhenItComesAndOneWhenItIsOver() throws Exception {
        start(ALL);
        edge.host("dev");

        get(
                "/clusters/dev/api/v1/namespaces/default/pods/web/status?pretty=1",
                TestEdge.JANE,
                "Audit-Id: a\"1",
                "User-Agent: curl/8");

        List<JsonNode> lines = lines(2);
        assertThat(lines).extracting(AuditFixture::stage).containsExactly("RequestReceived", "ResponseComplete");
        JsonNode line = lines.getLast();
        assertThat(line.path("kind").asString() + " " + line.path("apiVersion").asString())
                .isEqualTo("Event audit.k8s.io/v1");
        assertThat(line.path("level").asString()).isEqualTo("Metadata");
        assertThat(line.path("auditID").asString()).isEqualTo("a\"1");
        assertThat(line.path("requestURI").asString())
                .isEqualTo("/clusters/dev/api/v1/namespaces/default/pods/web/status?pretty=1");
        assertThat(line.path("verb").asString()).isEqualTo("get");
        assertThat(Json.text(line.path("user")))
                .isEqualTo(
                        "{\"username\":\"jane\",\"uid\":\"2\",\"groups\":[\"dev\",\"ops\",\"system:authenticated\"]}");
        assertThat(Json.text(line.path("sourceIPs"))).isEqualTo("[\"127.0.0.1\"]");
        assertThat(line.path("userAgent").asString()).isEqualTo("curl/8");
        assertThat(Json.text(line.path("objectRef")))
                .isEqualTo("{\"resource\":\"pods\",\"namespace\":\"default\",\"name\":\"web\",\"apiVersion\":\"v1\","
                        + "\"subresource\":\"status\"}");
        assertThat(Json.text(line.path("responseStatus"))).isEqualTo("{\"metadata\":{},\"code\":200}");
        assertThat(Json.text(line.path("annotations")))
                .isEqualTo("{\"authorization.k8s.io/decision\":\"allow\",\"authorization.k8s.io/reason\":\"\","
                        + "\"fairlead.io/cluster\":\"dev\"}");
        Instant received = Instant.parse(line.path("requestReceivedTimestamp").asString());
        assertThat(Instant.parse(line.path("stageTimestamp").asString())).isAfterOrEqualTo(received);
        assertThat(lines.getFirst().path("stageTimestamp")).isEqualTo(line.path("requestReceivedTimestamp"));
        assertThat(lines.getFirst().has("responseStatus")).isFalse();
    }

    @Test
    void attachedRequest_saysHowItsUserIsPresented_andSharesItsIdWithTheCluster() throws Exception {
        start(ALL);
        RawUpstream prod = edge.attach("prod");
        prod.answer((_, _, out) -> RawUpstream.respond(out, 404, "{}"));

        get("/clusters/prod/api/v1/nodes/one", TestEdge.JANE);

        JsonNode line = lines(2).getLast();
        assertThat(prod.header("Audit-Id")).containsExactly(line.path("auditID").asString());
        assertThat(Json.text(line.path("responseStatus"))).isEqualTo("{\"metadata\":{},\"code\":404}");
        assertThat(Json.text(line.path("annotations")))
                .isEqualTo("{\"fairlead.io/cluster\":\"prod\",\"fairlead.io/upstream-identity\":\"Impersonate\"}");
    }

    @Test
    void callerWhoIsNotKnown_hasOneLine_withoutAUser() throws Exception {
        start(ALL);

        get("/clusters/prod/api/v1/nodes?access_token=canary", "Authorization: Bearer canary");

        JsonNode line = lines(1).getFirst();
        assertThat(stage(line)).isEqualTo("ResponseStarted");
        assertThat(Json.text(line.path("user"))).isEqualTo("{}");
        assertThat(line.path("responseStatus").path("code").asInt()).isEqualTo(401);
        assertThat(line.path("responseStatus").path("reason").asString()).isEqualTo("Unauthorized");
        assertThat(text()).doesNotContain("canary");
    }

    /** Who has no account must not fill the log, nor have its earlier files removed. */
    @Test
    void callersWhoAreNotKnown_haveFewLines_ofEachAddress_andOthersHaveTheirs() throws Exception {
        start(ALL, Limited.by(Map.of("limits.auditedUnknownCallersPerSecondMax", 2)), AuditMode.BATCH, file());

        for (int i = 0; i < 4; i++) {
            get("/clusters/prod/api/v1/nodes", "Authorization: Bearer unknown");
            get("/clusters/prod/api/v1/nodes");
        }
        get("/version", TestEdge.JANE);

        assertThat(lines(4))
                .extracting(
                        line -> stage(line) + " " + line.at("/user/username").asString())
                .containsExactly(
                        "ResponseStarted ", "ResponseStarted ", "RequestReceived jane", "ResponseComplete jane");
        assertThat(leftOut).hasValue(6);
    }

    @Test
    void callerWhoActsAsAnotherAtTheGatewayItself_isRecordedAsThemselves() throws Exception {
        start("rules: [{level: Metadata, userGroups: [\"system:authenticated\"]}]");

        get("/fairlead/v1/clusters", TestEdge.JANE, "Impersonate-User: bob");

        JsonNode line = lines(2).getLast();
        assertThat(line.at("/user/username").asString()).isEqualTo("jane");
        assertThat(line.at("/responseStatus/code").asInt()).isEqualTo(403);
    }

    @Test
    void callerWhoMayNotEnter_isRecordedAsForbidden() throws Exception {
        start(ALL);
        edge.attach("prod");
        edge.root.allow((_, _) -> false);

        get("/clusters/prod/api/v1/nodes", TestEdge.JANE);

        JsonNode line = lines(2).getLast();
        assertThat(line.path("responseStatus").path("reason").asString()).isEqualTo("Forbidden");
        assertThat(line.path("responseStatus").path("message").asString()).contains("\"jane\" cannot access");
        assertThat(line.path("annotations")
                        .path("authorization.k8s.io/decision")
                        .asString())
                .isEqualTo("forbid");
    }

    @Test
    void impersonatingCaller_isRecordedWithWhomTheyActAs() throws Exception {
        start("rules: [{level: Metadata, users: [jane]}]");
        edge.host("dev");

        get("/clusters/dev/api/v1/nodes", TestEdge.JANE, "Impersonate-User: bob", "Impersonate-Group: team");
        get("/clusters/dev/api/v1/nodes", TestEdge.ADMIN, "Impersonate-User: jane");

        JsonNode line = lines(2).getLast();
        assertThat(line.path("user").path("username").asString()).isEqualTo("jane");
        assertThat(Json.text(line.path("impersonatedUser")))
                .isEqualTo("{\"username\":\"bob\",\"groups\":[\"team\",\"system:authenticated\"]}");
    }

    @Test
    void probe_isOfTheAnonymousUser() throws Exception {
        start("rules: [{level: Metadata, userGroups: ['system:unauthenticated'], nonResourceURLs: [/readyz*]}]");

        get("/readyz?verbose");
        get("/livez");

        JsonNode line = lines(2).getLast();
        assertThat(line.path("user").path("username").asString()).isEqualTo("system:anonymous");
        assertThat(line.path("requestURI").asString()).isEqualTo("/readyz?verbose");
        assertThat(line.has("objectRef")).isFalse();
        assertThat(line.has("annotations")).isFalse();
    }

    @Test
    void watch_hasALineWhenItsAnswerBegins() throws Exception {
        start("{omitStages: [RequestReceived], rules: [{level: Metadata}]}");
        RawUpstream prod = edge.attach("prod");
        prod.talk((_, connection, _) -> {
            RawUpstream.write(connection.getOutputStream(), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            Await.until(() -> text().contains("ResponseStarted"));
            RawUpstream.write(connection.getOutputStream(), "0\r\n\r\n");
        });

        get("/clusters/prod/api/v1/nodes?watch=true", TestEdge.JANE);

        assertThat(lines(2)).extracting(AuditFixture::stage).containsExactly("ResponseStarted", "ResponseComplete");
        assertThat(lines(2)).extracting(line -> line.path("verb").asString()).containsOnly("watch");
    }

    @Test
    void upgrade_hasALineWithIts101() throws Exception {
        start(ALL);
        RawUpstream prod = edge.attach("prod");
        prod.talk((_, connection, _) -> RawUpstream.write(
                connection.getOutputStream(),
                "HTTP/1.1 101 Switching\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n"));
        try (RawClient client = edge.client()) {
            UpgradeFixture.upgrade(client, "/clusters/prod/api/v1/namespaces/a/pods/b/exec?command=id", "SPDY/3.1");
        }

        List<JsonNode> lines = lines(3);
        assertThat(lines)
                .extracting(AuditFixture::stage)
                .containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
        assertThat(lines.getLast().path("responseStatus").path("code").asInt()).isEqualTo(101);
    }

    @Test
    void clientThatLeavesBeforeAnAnswer_isRecordedAsUpstreamDoes() throws Exception {
        start(ALL);
        RawUpstream prod = edge.attach("prod");
        AtomicInteger asked = new AtomicInteger();
        prod.talk((_, _, in) -> {
            asked.incrementAndGet();
            var _ = in.read();
        });
        RawClient client = edge.client();
        client.send("GET /clusters/prod/api/v1/nodes HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
        Await.until(() -> asked.get() == 1);
        client.close();

        assertThat(Json.text(lines(2).getLast().path("responseStatus")))
                .isEqualTo("{\"metadata\":{},\"status\":\"Success\",\"message\":\"Connection closed"
                        + " early\",\"code\":200}");
    }

    @Test
    void faultOfTheProgram_isAPanic() throws Exception {
        start(ALL);
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> {
            throw new IllegalStateException("planned");
        });

        get("/clusters/dev/api/v1/nodes", TestEdge.JANE);

        JsonNode line = lines(2).getLast();
        assertThat(stage(line)).isEqualTo("Panic");
        assertThat(line.path("responseStatus").path("code").asInt()).isEqualTo(500);
        assertThat(text()).doesNotContain("planned");
    }

    @Test
    void reasonOfAFailure_isTakenFromTheAnswer() throws Exception {
        start(ALL);
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> FakeHosted.json(
                409,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"m\","
                        + "\"reason\":\"Conflict\",\"code\":409}\n"));

        post(MAPS, "{}");

        assertThat(Json.text(lines(2).getLast().path("responseStatus")))
                .isEqualTo(
                        "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"m\",\"reason\":\"Conflict\",\"code\":409}");
    }

    @Test
    void whatThePolicyDoesNotAskFor_isNotRecorded() throws Exception {
        start("rules: [{level: None, verbs: [get]}, {level: Metadata, omitStages: [RequestReceived]}]");
        edge.host("dev");

        get(MAPS + "/one", TestEdge.JANE);
        get("/clusters/dev/api/v1/nodes", TestEdge.JANE);

        assertThat(lines(1)).extracting(line -> line.path("verb").asString()).containsExactly("list");
    }
}
