package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.ACCOUNTS;
import static io.fairlead.hosted.cluster.TokensFixture.ISSUER;
import static io.fairlead.hosted.cluster.TokensFixture.PODS;
import static io.fairlead.hosted.cluster.TokensFixture.SECRETS;
import static io.fairlead.hosted.cluster.TokensFixture.claims;
import static io.fairlead.hosted.cluster.TokensFixture.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Requests for tokens are answered as kube-apiserver answers them, with which {@code ServiceAccountTokensIT} compares. */
class TokenRequestTest {
    private static final String TOKEN = ACCOUNTS + "/default/token";
    private static final long NOW = TokensFixture.START.getEpochSecond();

    private final TokensFixture fixture = new TokensFixture();
    private final Api api = fixture.api();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void answer_isTheRequest_completed_withATokenAndItsExpiry() {
        Answer answer = api.create(TOKEN, "{}").expect(201);

        ObjectNode body = answer.body();
        String token = body.withObjectProperty("status").remove("token").stringValue();
        String uid = body.withObjectProperty("metadata").remove("uid").stringValue();
        assertThat(body).isEqualTo(Json.read("""
            {"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1",
             "metadata":{"name":"default","namespace":"default","creationTimestamp":"2026-11-27T12:00:00Z"},
             "spec":{"audiences":["https://kubernetes.default.svc.cluster.local"],"expirationSeconds":3600,"boundObjectRef":null},
             "status":{"expirationTimestamp":"2026-11-27T13:00:00Z"}}\
            """));
        assertThat(uid).isEqualTo(uidOf(ACCOUNTS + "/default"));
        assertThat(token).matches("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    }

    @Test
    void claims_areThoseOfKubernetes() {
        String token = fixture.token("default", "spec: {audiences: [a, b], expirationSeconds: 600}");

        ObjectNode claims = claims(token);
        assertThat(claims.remove("jti").stringValue()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(claims)
                .isEqualTo(Json.read("""
                    {"aud":["a","b"],"exp":%d,"iat":%d,"iss":"%s",
                     "kubernetes.io":{"namespace":"default","serviceaccount":{"name":"default","uid":"%s"}},
                     "nbf":%d,"sub":"system:serviceaccount:default:default"}\
                    """.formatted(NOW + 600, NOW, ISSUER, uidOf(ACCOUNTS + "/default"), NOW)));
        assertThat(header(token).path("alg").asString()).isEqualTo("ES256");
        assertThat(header(token).path("kid").asString())
                .isEqualTo(fixture.signingKeys().getFirst().keyId());
    }

    @ParameterizedTest
    @CsvSource({
        "600, ''",
        "4294967296, ''",
        "599, may not specify a duration less than 10 minutes",
        "-1, may not specify a duration less than 10 minutes",
        "4294967297, may not specify a duration larger than 2^32 seconds",
    })
    void duration_hasBounds(long seconds, String problem) {
        Answer answer = api.create(TOKEN, "spec: {expirationSeconds: " + seconds + "}");

        if (problem.isEmpty()) {
            assertThat(claims(answer.expect(201).at("/status/token"))
                            .path("exp")
                            .longValue())
                    .isEqualTo(NOW + seconds);
        } else {
            assertThat(answer.expect(422).message())
                    .isEqualTo("TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
                            + " value: "
                            + seconds + ": " + problem);
            assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.expirationSeconds");
        }
    }

    @Test
    void audiences_areBounded() {
        assertThat(claims(fixture.token("default", audiences(100))).path("aud")).hasSize(100);
        Answer answer = api.create(TOKEN, audiences(101)).expect(422);

        assertThat(answer.message())
                .isEqualTo("TokenRequest.authentication.k8s.io \"\" is invalid: spec.audiences: Too many: 101: must"
                        + " have at most 100 items");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.audiences");
    }

    @Test
    void nameOfAnother_isInvalid() {
        assertThat(api.create(TOKEN, "metadata: {name: other}").expect(422).message())
                .isEqualTo("TokenRequest.authentication.k8s.io \"default\" is invalid: metadata.name: Invalid value:"
                        + " \"other\": must match the service account name if specified");
        assertThat(api.create(TOKEN, "metadata: {namespace: other}").expect(400).message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
        api.create(TOKEN, "metadata: {name: default, namespace: default}").expect(201);
    }

    @Test
    void uidOfAnother_isAConflict() {
        String uid = uidOf(ACCOUNTS + "/default");

        assertThat(api.create(TOKEN, "metadata: {uid: x}").expect(409).message())
                .isEqualTo("Operation cannot be fulfilled on TokenRequest.authentication.k8s.io \"default\": the UID in"
                        + " the token request (x) does not match the UID of the service account (" + uid + ")");
        api.create(TOKEN, "metadata: {uid: " + uid + "}").expect(201);
    }

    @Test
    void accountOrNamespace_thatIsNotThere_isNotFound() {
        assertThat(api.create(ACCOUNTS + "/none/token", "{}").expect(404).message())
                .isEqualTo("serviceaccounts \"none\" not found");
        assertThat(api.create("/api/v1/namespaces/none/serviceaccounts/default/token", "{}")
                        .expect(404)
                        .message())
                .isEqualTo("namespaces \"none\" not found");
    }

    @Test
    void namespace_thatIsBeingDeleted_givesNoTokens() {
        api.create("/api/v1/namespaces", "metadata: {name: going}").expect(201);
        Fixture.eventually(
                "the account is there",
                () -> api.get("/api/v1/namespaces/going/serviceaccounts/default")
                                .code()
                        == 200);
        api.create("/api/v1/namespaces/going/configmaps", "metadata: {name: a, finalizers: [example.com/stays]}")
                .expect(201);
        api.delete("/api/v1/namespaces/going").expect(200);

        assertThat(api.create("/api/v1/namespaces/going/serviceaccounts/default/token", "{}")
                        .expect(403)
                        .message())
                .isEqualTo("serviceaccounts \"default\" is forbidden: unable to create new content in namespace going"
                        + " because it is being terminated");
    }

    @Test
    void tokenOfASecret_namesIt() {
        api.create(SECRETS, "metadata: {name: s}").expect(201);
        String uid = uidOf(SECRETS + "/s");

        Answer answer = api.create(TOKEN, bound("v1", "Secret", "s", uid)).expect(201);

        assertThat(claims(answer.at("/status/token")).path("kubernetes.io").path("secret"))
                .isEqualTo(Json.read("{\"name\":\"s\",\"uid\":\"" + uid + "\"}"));
        assertThat(answer.at("/spec/boundObjectRef/name")).isEqualTo("s");
    }

    @Test
    void tokenOfAPod_namesItAndItsNode() {
        pod("p", "default", "node");
        String without = fixture.token("default", bound("v1", "Pod", "p", ""));
        api.create("/api/v1/nodes", "metadata: {name: node}").expect(201);
        String with = fixture.token("default", bound("v1", "Pod", "p", uidOf(PODS + "/p")));

        assertThat(claims(without).path("kubernetes.io").path("node")).isEqualTo(Json.read("{\"name\":\"node\"}"));
        assertThat(claims(with).path("kubernetes.io").path("node").path("uid").asString(""))
                .isEqualTo(uidOf("/api/v1/nodes/node"));
        assertThat(claims(with).path("kubernetes.io").path("pod").path("uid").asString(""))
                .isEqualTo(uidOf(PODS + "/p"));
    }

    @Test
    void tokenOfANode_namesIt() {
        api.create("/api/v1/nodes", "metadata: {name: node}").expect(201);

        assertThat(claims(fixture.token("default", bound("v1", "Node", "node", "")))
                        .path("kubernetes.io")
                        .path("node")
                        .path("uid")
                        .asString(""))
                .isEqualTo(uidOf("/api/v1/nodes/node"));
    }

    @Test
    void podOfAnotherAccount_isABadRequest() {
        pod("p", "other", "");

        assertThat(api.create(TOKEN, bound("v1", "Pod", "p", "")).expect(400).message())
                .isEqualTo("cannot bind token for serviceaccount \"default\" to pod running with different"
                        + " serviceaccount name.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v1 | Secret | none | '' | 404 | secrets \"none\" not found",
                "v1 | Pod | none | '' | 404 | pods \"none\" not found",
                "v1 | Node | none | '' | 404 | nodes \"none\" not found",
                "v1 | Secret | s | x | 409 | Operation cannot be fulfilled on Secret \"s\": the UID in the bound object"
                        + " reference (x) does not match the UID in record. The object might have been deleted and then"
                        + " recreated",
                "v1 | ConfigMap | s | '' | 400 | cannot bind token to object of type /v1, Kind=ConfigMap",
                "apps/v1 | Deployment | s | '' | 400 | cannot bind token to object of type apps/v1, Kind=Deployment",
                "apps/v1 | Secret | s | '' | 400 | cannot bind token to object of type apps/v1, Kind=Secret",
                "'' | '' | s | '' | 400 | cannot bind token to object of type /, Kind=",
                "v1 | Secret | '' | '' | 400 | Name parameter required.",
                "v1 | Secret | a/b | '' | 400 | Name parameter invalid: \"a/b\": may not contain '/'",
                "v1 | Secret | .. | '' | 400 | Name parameter invalid: \"..\": may not be '..'",
            })
    void referenceToWhatCannotBeBound_isRefused(
            String apiVersion, String kind, String name, String uid, int code, String message) {
        api.create(SECRETS, "metadata: {name: s}").expect(201);

        assertThat(api.create(TOKEN, bound(apiVersion, kind, name, uid))
                        .expect(code)
                        .message())
                .isEqualTo(message);
    }

    @Test
    void clusterOfTheCoreKinds_hasNoPodsToBindTo() {
        assertThat(fixture.api(new ClusterName("core"))
                        .create(TOKEN, bound("v1", "Pod", "p", ""))
                        .expect(404)
                        .message())
                .isEqualTo("pods \"p\" not found");
    }

    @Test
    void name_thatIsVeryLong_isNotFound() {
        assertThat(api.create(TOKEN, bound("v1", "Secret", "a".repeat(100_000), ""))
                        .code())
                .isEqualTo(404);
    }

    @Test
    void dryRun_getsATokenToo_andStoresNothing() {
        fixture.token("default", "{}");
        long revision = fixture.store.revision();

        assertThat(api.create(TOKEN + "?dryRun=All", "{}").expect(201).at("/status/token"))
                .isNotEmpty();
        api.create(TOKEN, "{}").expect(201);

        assertThat(fixture.store.revision()).isEqualTo(revision);
        assertThat(api.create(TOKEN + "?dryRun=Some", "{}").expect(422).message())
                .contains("dryRun: Unsupported value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "PATCH", "DELETE"})
    void otherMethods_areNotAllowed(String method) {
        assertThat(api.send(method, TOKEN, "application/json", "{}".getBytes(UTF_8))
                        .code())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ACCOUNTS + "/default/token/more",
                "/api/v1/serviceaccounts/default/token",
                ACCOUNTS + "/default/tokens",
            })
    void otherPaths_areNotThere(String path) {
        assertThat(api.create(path, "{}").code()).isEqualTo(404);
    }

    @Test
    void unreadableBody_isABadRequest() {
        assertThat(api.createJson(TOKEN, "{\"spec\":{\"audiences\":5}}")
                        .expect(400)
                        .message())
                .contains("cannot unmarshal number into Go struct field TokenRequestSpec.spec.audiences");
        assertThat(api.createJson(TOKEN, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}")
                        .code())
                .isEqualTo(400);
        assertThat(api.createJson(TOKEN, "{\"odd\":1}").expect(201).headers().get("Warning"))
                .containsExactly("299 - \"unknown field \\\"odd\\\"\"");
    }

    @Test
    void warnings_areCut_asThoseOfObjects() {
        String unknown = IntStream.range(100, 150)
                .mapToObj(i -> "\"" + i + "a".repeat(5000) + "\":1")
                .collect(Collectors.joining(","));

        Answer answer = api.createJson(TOKEN, "{" + unknown + "}").expect(201);

        List<String> warnings = answer.headers().get("Warning");
        assertThat(warnings).hasSize(50);
        assertThat(warnings.getLast())
                .isEqualTo("299 - \"unknown field \\\"149" + "a".repeat(256 - "unknown field \"149".length()) + "\"");
        assertThat(String.join("", warnings)).hasSizeLessThan(4096 + 50 * 270);
    }

    @Test
    void protobuf_isReadAndAnswered() {
        byte[] body = Protobuf.write((ObjectNode) Json.read("""
            {"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{"audiences":["a"],"expirationSeconds":700}}\
            """));
        String protobuf = "application/vnd.kubernetes.protobuf";

        ApiResponse answer = Routing.serve(fixture.dev(), Api.request("POST", TOKEN, protobuf, protobuf, body));

        assertThat(answer).isInstanceOfSatisfying(ApiResponse.Whole.class, whole -> {
            assertThat(whole.contentType()).isEqualTo(protobuf);
            ObjectNode request = Protobuf.read(whole.body());
            assertThat(request.at("/spec/expirationSeconds").longValue()).isEqualTo(700);
            assertThat(claims(request.at("/status/token").asString("")).path("aud"))
                    .isEqualTo(Json.read("[\"a\"]"));
        });
    }

    @Test
    void discovery_hasTheSubresource() {
        assertThat(api.get("/api/v1").expect(200).body().path("resources").valueStream())
                .contains(Json.read("""
                    {"name":"serviceaccounts/token","singularName":"","namespaced":true,"group":"authentication.k8s.io",
                     "version":"v1","kind":"TokenRequest","verbs":["create"]}\
                    """));
    }

    @Test
    void right_isToCreateTheSubresource() {
        api.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", """
            metadata: {name: jane}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]
            """)
                .expect(201);
        var asked = RequestInfoParser.parse("POST", TOKEN, "");

        assertThat(fixture.dev().authorize(UserInfo.of("jane", List.of()), asked))
                .isInstanceOf(Decision.Allowed.class);
        assertThat(fixture.dev().authorize(UserInfo.of("carl", List.of()), asked))
                .isInstanceOf(Decision.Denied.class);
    }

    @Test
    void eachToken_isAnother() {
        assertThat(fixture.token("default", "{}")).isNotEqualTo(fixture.token("default", "{}"));
    }

    private void pod(String name, String account, String node) {
        api.create(PODS, """
            metadata: {name: %s}
            spec: {serviceAccountName: %s, nodeName: "%s", containers: [{name: c, image: nginx}]}
            """.formatted(name, account, node)).expect(201);
    }

    private String uidOf(String path) {
        return api.get(path).expect(200).at("/metadata/uid");
    }

    private static String bound(String apiVersion, String kind, String name, String uid) {
        return "spec: {boundObjectRef: {apiVersion: \"" + apiVersion + "\", kind: \"" + kind + "\", name: \"" + name
                + "\", uid: \"" + uid + "\"}}";
    }

    private static String audiences(int count) {
        return "spec: {audiences: [a" + ", a".repeat(count - 1) + "]}";
    }
}
