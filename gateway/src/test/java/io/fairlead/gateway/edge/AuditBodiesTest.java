package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration.AuditMode;
import io.fairlead.gateway.Limited;
import io.fairlead.schema.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Which bodies of requests and answers are recorded, and how. */
class AuditBodiesTest extends AuditFixture {
    private static final String BODIES = "rules: [{level: RequestResponse}]";

    @Test
    void bodies_areRecordedOfHostedClusters_asOneLine() throws Exception {
        start(BODIES);
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> FakeHosted.json(201, "{\"kind\": \"Thing\",\n \"metadata\": {\"name\": \"made\"}}"));

        post(THINGS, "{\"kind\": \"Thing\",\n \"metadata\": {\"name\": \"one\", \"uid\": \"u\"}}");

        JsonNode line = lines(2).getLast();
        assertThat(line.path("level").asString()).isEqualTo("RequestResponse");
        assertThat(Json.text(line.path("requestObject")))
                .isEqualTo("{\"kind\":\"Thing\",\"metadata\":{\"name\":\"one\",\"uid\":\"u\"}}");
        assertThat(Json.text(line.path("responseObject")))
                .isEqualTo("{\"kind\":\"Thing\",\"metadata\":{\"name\":\"made\"}}");
        assertThat(line.path("objectRef").path("name").asString()).isEqualTo("one");
        assertThat(line.path("objectRef").path("uid").asString()).isEqualTo("u");
    }

    /** As the cluster reads it: a decoy before the object's own metadata hides nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'metadata':{'name':'decoy'},'metadata':{'name':'real'}}",
                "{'metadata':{'name':'real'},'spec':{'metadata':{'name':'decoy'}}}",
                "{'%s':1,'metadata':{'name':'real'}}"
            })
    void nameInALine_isThatOfTheLastMetadata(String body) throws Exception {
        start("{rules: [{level: Metadata}]}");
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> FakeHosted.json(201, "{}"));

        post(THINGS, body.replace('\'', '"').replace("%s", "k".repeat(60_000)));

        assertThat(lines(2).getLast().path("objectRef").path("name").asString()).isEqualTo("real");
    }

    @Test
    void managedFields_areLeftOutIfThePolicySaysSo() throws Exception {
        start("{omitManagedFields: true, rules: [{level: RequestResponse}]}");
        FakeHosted dev = edge.host("dev");
        String object = "{\"metadata\":{\"name\":\"one\",\"managedFields\":[{\"manager\":\"m\"}]}}";
        dev.answer(_ -> FakeHosted.json(200, "{\"items\":[" + object + "],\"rows\":[{\"object\":" + object + "}]}"));

        post(THINGS, object);

        assertThat(lines(2).getLast().path("responseObject").toString()).contains("one");
        assertThat(text()).doesNotContain("managedFields");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/default/secrets",
        "/api/v1/namespaces/default/configmaps",
        "/api/v1/namespaces/default/serviceaccounts/robot/token",
        "/apis/authentication.k8s.io/v1/tokenreviews",
        "/apis/fairlead.io/v1alpha1/clusterimports",
    })
    void confidentialBodies_areNeverRecorded(String path) throws Exception {
        start(BODIES);
        FakeHosted dev = edge.host("dev");
        dev.answer(_ -> FakeHosted.json(
                422,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"message\":\"bad value"
                        + " canary\",\"code\":422}"));

        post("/clusters/dev" + path, "{\"metadata\":{\"name\":\"one\"},\"data\":{\"a\":\"canary\"}}");

        JsonNode line = lines(2).getLast();
        assertThat(line.path("level").asString()).isEqualTo("Metadata");
        assertThat(line.path("responseStatus").path("code").asInt()).isEqualTo(422);
        assertThat(text()).doesNotContain("canary");
    }

    @Test
    void bodiesOfAttachedClusters_areNotRecorded() throws Exception {
        start(BODIES);
        RawUpstream prod = edge.attach("prod");
        prod.answer((_, in, out) -> {
            var _ = in.readNBytes(14);
            RawUpstream.respond(out, 201, "{\"a\":\"canary\"}");
        });

        post("/clusters/prod/api/v1/namespaces/default/pods", "{\"a\":\"canary\"}");

        assertThat(lines(2).getLast().path("responseStatus").path("code").asInt())
                .isEqualTo(201);
        assertThat(text()).doesNotContain("canary");
    }

    @Test
    void largeBody_isLeftOut_andTheLineSaysSo() throws Exception {
        start(BODIES, Limited.by(Map.of("limits.auditBodyBytesMax", 64)), AuditMode.BATCH, file());
        edge.host("dev");

        post(THINGS, "{\"metadata\":{\"name\":\"one\"},\"spec\":\"" + "x".repeat(64) + "\"}");

        JsonNode line = lines(2).getLast();
        assertThat(line.has("requestObject")).isFalse();
        assertThat(line.path("annotations").path("audit.k8s.io/truncated").asString())
                .isEqualTo("true");
        assertThat(line.path("objectRef").path("name").asString()).isEqualTo("one");
        assertThat(Json.text(line.path("responseObject"))).isEqualTo("{}");
    }
}
