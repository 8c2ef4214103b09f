package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.TwinClusters.Answer;
import io.fairlead.ittests.TwinClusters.Answers;
import io.fairlead.ittests.TwinClusters.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ServiceAccounts of a hosted cluster have tokens as those of a real kube-apiserver: what is asked, answered, claimed and refused. */
final class ServiceAccountTokensIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts/";
    private static final String SECRETS = "/api/v1/namespaces/default/secrets/";
    private static final String ROBOT = ACCOUNTS + "robot";
    private static final String TOKEN = ROBOT + "/token";
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

    private static final String OBJECTS = """
        {apiVersion: v1, kind: ServiceAccount, metadata: {name: robot, namespace: default}}
        ---
        {apiVersion: v1, kind: Secret, metadata: {name: plain, namespace: default}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: node}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: runs, namespace: default}
        spec: {serviceAccountName: robot, nodeName: node, containers: [{name: c, image: nginx}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: elsewhere, namespace: default}
        spec: {serviceAccountName: robot, nodeName: gone, containers: [{name: c, image: nginx}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: foreign, namespace: default}
        spec: {serviceAccountName: other, containers: [{name: c, image: nginx}]}
        ---
        {apiVersion: v1, kind: Namespace, metadata: {name: empty}}
        """;

    private static final TwinClusters TWINS =
            TwinClusters.startWithTokens("ServiceAccountTokensIT", List.of(TwinClusters.ADMIN));

    @BeforeAll
    static void make() {
        TWINS.apply(OBJECTS);
    }

    @AfterAll
    static void close() {
        TWINS.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"spec\":{}}",
                "{\"spec\":null}",
                "{\"spec\":{\"audiences\":[]}}",
                "{\"spec\":{\"audiences\":null,\"expirationSeconds\":null,\"boundObjectRef\":null}}",
                "{\"spec\":{\"audiences\":[\"vault\",\"vault\",\"\"]}}",
                "{\"spec\":{\"expirationSeconds\":600}}",
                "{\"spec\":{\"expirationSeconds\":599}}",
                "{\"spec\":{\"expirationSeconds\":0}}",
                "{\"spec\":{\"expirationSeconds\":-5}}",
                "{\"spec\":{\"expirationSeconds\":4294967296}}",
                "{\"spec\":{\"expirationSeconds\":4294967297}}",
                "{\"spec\":{\"expirationSeconds\":9223372036854775807}}",
                "{\"spec\":{\"expirationSeconds\":600.5}}",
                "{\"spec\":{\"expirationSeconds\":\"600\"}}",
                "{\"spec\":{\"audiences\":\"vault\"}}",
                "{\"spec\":{\"audiences\":[5]}}",
                "{\"spec\":[]}",
                "{\"metadata\":{\"name\":\"robot\",\"namespace\":\"default\"}}",
                "{\"metadata\":{\"name\":\"other\"}}",
                "{\"metadata\":{\"namespace\":\"other\"}}",
                "{\"metadata\":{\"name\":\"other\"},\"spec\":{\"expirationSeconds\":5}}",
                "{\"metadata\":{\"uid\":\"x\"}}",
                "{\"metadata\":{\"uid\":\"@uid\"}}",
                "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"annotations\":{\"c\":\"d\"},\"resourceVersion\":\"5\"}}",
                "{\"metadata\":{\"creationTimestamp\":\"2020-01-01T00:00:00Z\",\"generateName\":\"x\",\"finalizers\":[\"a/b\"]}}",
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"A\",\"name\":\"a\",\"uid\":\"b\"}]}}",
                "{\"status\":{\"token\":\"mine\",\"expirationTimestamp\":\"2020-01-01T00:00:00Z\"}}",
                "{\"odd\":1,\"spec\":{\"strange\":2}}",
                "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\"}",
            })
    void requests_areAnsweredAlike(String body) throws Exception {
        assertSame(TWINS.askAbout(ROBOT, post(TOKEN, body)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"TokenReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}",
                "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v2\"}",
                "[]",
                "{",
            })
    void bodiesOfAnotherKind_areBadRequests(String body) throws Exception {
        Answers answers = TWINS.ask(post(TOKEN, body));
        assertThat(answers.hosted().status()).isEqualTo(answers.kube().status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1 Secret plain",
                "v1 Pod runs",
                "v1 Pod elsewhere",
                "v1 Pod foreign",
                "v1 Node node",
                "v1 Secret none",
                "v1 Pod none",
                "v1 Node none",
                "v2 Secret plain",
                "a/b/c Secret plain",
                "apps/v1 Secret plain",
                "apps/v1 Deployment plain",
                "v1 ConfigMap plain",
                "v1 secret plain",
                "v1 Secret a/b",
                "v1 Secret a%b",
                "v1 Secret ..",
            })
    void bindings_areAnsweredAlike(String reference) throws Exception {
        String[] words = reference.split(" ", -1);
        String kind = "\"kind\":\"" + words[1] + "\",";
        String name = "\"name\":\"" + words[2] + "\"";
        String body = "{\"spec\":{\"boundObjectRef\":{\"apiVersion\":\"" + words[0] + "\"," + kind + name + "}}}";

        assertSame(TWINS.ask(post(TOKEN, body)));
        assertSame(TWINS.ask(post(TOKEN, body.replace(name, name + ",\"uid\":\"x\""))));
        assertSame(TWINS.ask(post(TOKEN, body.replace(name, "\"name\":\"\""))));
        assertSame(TWINS.ask(post(TOKEN, body.replace(kind, ""))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ACCOUNTS + "none/token",
                "/api/v1/namespaces/none/serviceaccounts/robot/token",
                "/api/v1/namespaces/empty/serviceaccounts/robot/token",
                "/api/v1/serviceaccounts/robot/token",
                TOKEN + "/more",
                ACCOUNTS + "robot/tokens",
                TOKEN + "?dryRun=All",
                TOKEN + "?dryRun=Some",
                TOKEN + "?fieldValidation=Strict",
                TOKEN + "?fieldValidation=Odd",
                TOKEN + "?fieldManager=me",
                REVIEWS,
                "/apis/authentication.k8s.io/v1/namespaces/default/tokenreviews",
            })
    void paths_areAnsweredAlike(String path) throws Exception {
        assertSame(TWINS.ask(post(path, "{\"metadata\":{},\"odd\":1}")));
        assertSame(TWINS.ask(post(path, "{}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "PATCH", "DELETE"})
    void otherMethods_areRefusedAlike(String method) throws Exception {
        for (String path : List.of(TOKEN, REVIEWS)) {
            String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
            Answers answers =
                    TWINS.ask(new Request(TwinClusters.ADMIN, method, path, type, method.equals("GET") ? "" : "{}"));
            assertThat(answers.hosted().status()).isEqualTo(answers.kube().status());
        }
    }

    @Test
    void reviews_areAnsweredAlike() throws Exception {
        Answers tokens = TWINS.ask(post(TOKEN, "{}"));
        Answers ofPod = TWINS.ask(post(TOKEN, bound("Pod", "runs")));
        Answers forOthers = TWINS.ask(post(TOKEN, "{\"spec\":{\"audiences\":[\"vault\",\"other\"]}}"));

        for (String audiences : List.of("", "\"vault\"", "\"x\",\"other\",\"vault\"", "\"x\"", "\"\"")) {
            for (Answers each : List.of(tokens, ofPod, forOthers)) {
                assertSame(review(each, audiences));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"spec\":{}}",
                "{\"spec\":{\"token\":\"\"}}",
                "{\"spec\":{\"token\":\"strange\"}}",
                "{\"spec\":{\"token\":\"two words\"}}",
                "{\"spec\":{\"token\":\"a.b.c\",\"audiences\":[\"x\"]}}",
                "{\"spec\":{\"token\":5}}",
                "{\"metadata\":{\"name\":\"a\",\"labels\":{\"b\":\"c\"}},\"spec\":{\"token\":\"strange\"}}",
            })
    void reviewsOfNoToken_areAnsweredAlike(String body) throws Exception {
        assertSame(TWINS.ask(post(REVIEWS, body)));
    }

    @Test
    void reviewsOfRevokedTokens_areAnsweredAlike() throws Exception {
        TWINS.apply("""
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: passing, namespace: default}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: passing, namespace: default}}
            """);
        Answers ofSecret = TWINS.ask(post(TOKEN, bound("Secret", "passing")));
        Answers ofAccount = TWINS.ask(post(ACCOUNTS + "passing/token", "{}"));
        TWINS.kubectl("delete", "secret,serviceaccount", "passing");
        awaitSame(ofSecret, "service account token has been invalidated");
        awaitSame(ofAccount, "serviceaccounts \\\"passing\\\" not found");

        TWINS.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: passing, namespace: default}}");

        awaitSame(ofAccount, "does not match claim");
    }

    @Test
    void secrets_areFilledAlike_andGoWithTheirAccount() throws Exception {
        TWINS.apply("""
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: old, namespace: default}}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: filled, namespace: default, annotations: {kubernetes.io/service-account.name: old}}
            type: kubernetes.io/service-account-token
            data: {extra: eA==}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: orphan, namespace: default, annotations: {kubernetes.io/service-account.name: none}}
            type: kubernetes.io/service-account-token
            """);
        Await.until("both are filled", SOON, () -> {
            Answers both = get(SECRETS + "filled");
            return both.kube().body().contains("\"token\"")
                    && both.hosted().body().contains("\"token\"");
        });
        Answers filled = get(SECRETS + "filled");
        assertThat(ComparedTokens.ofSecret(filled.hosted())).isEqualTo(ComparedTokens.ofSecret(filled.kube()));
        assertSame(review(filled, ""));
        awaitStatus(SECRETS + "orphan", 404);

        TWINS.kubectl("delete", "serviceaccount", "old");

        awaitStatus(SECRETS + "filled", 404);
        awaitSame(filled, "Token has been invalidated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.well-known/openid-configuration", "/openid/v1/jwks"})
    void openIdDocuments_haveTheSameForm(String path) throws Exception {
        for (String accept : List.of("application/json", "*/*", "application/jwk-set+json", "application/yaml")) {
            Answers answers = TWINS.ask(new Request(TwinClusters.ADMIN, "GET", path, "application/json", "", accept));
            assertThat(answers.hosted().status())
                    .as(accept)
                    .isEqualTo(answers.kube().status());
            if (answers.kube().status() == 200) {
                assertThat(ComparedTokens.members(answers.hosted())).isEqualTo(ComparedTokens.members(answers.kube()));
            }
        }
    }

    @Test
    void kubectl_makesATokenThatTheClusterKnows() throws Exception {
        TWINS.kubectl("create", "token", "robot", "--duration=700s");
        TWINS.kubectl("create", "token", "robot", "--bound-object-kind=Secret", "--bound-object-name=plain");
    }

    @Test
    void discovery_isTheSame() throws Exception {
        for (String path : List.of("/apis/authentication.k8s.io/v1", "/api/v1")) {
            Answers lists = get(path);
            assertThat(ofTokens(lists.hosted())).isNotEmpty().isEqualTo(ofTokens(lists.kube()));
        }
    }

    private static List<String> ofTokens(Answer list) {
        return JsonParser.parseString(list.body()).getAsJsonObject().getAsJsonArray("resources").asList().stream()
                .filter(resource -> resource.toString().contains("\"Token"))
                .map(resource -> ComparedAnswers.comparable(resource).toString())
                .toList();
    }

    private static void awaitStatus(String path, int status) {
        Await.until(path + " is " + status, SOON, () -> {
            Answers both = get(path);
            return both.kube().status() == status && both.hosted().status() == status;
        });
    }

    /** kube-apiserver keeps what it authenticated for ten seconds. */
    private static void awaitSame(Answers withTokens, String error) throws Exception {
        Await.until("kube-apiserver says " + error, SOON, () -> {
            return review(withTokens, "").kube().body().contains(error);
        });
        assertSame(review(withTokens, ""));
    }

    /** Has each review its own token. */
    private static Answers review(Answers withTokens, String audiences) throws IOException, InterruptedException {
        return TWINS.askEach(
                post(REVIEWS, reviewOf(withTokens.kube(), audiences, "https://kubernetes.default.svc")),
                post(
                        REVIEWS,
                        reviewOf(withTokens.hosted(), audiences, "https://kubernetes.default.svc.cluster.local")));
    }

    private static String reviewOf(Answer withToken, String audiences, String issuer) {
        JsonObject body = JsonParser.parseString(withToken.body()).getAsJsonObject();
        String token = body.has("status")
                ? body.getAsJsonObject("status").get("token").getAsString()
                : ComparedTokens.decoded(
                        body.getAsJsonObject("data").get("token").getAsString());
        return "{\"spec\":{\"token\":\"" + token + "\",\"audiences\":["
                + audiences.replace("\"\"", "\"" + issuer + "\"") + "]}}";
    }

    private static Answers get(String path) throws IOException, InterruptedException {
        return TWINS.ask(new Request(TwinClusters.ADMIN, "GET", path, "application/json", ""));
    }

    private static Request post(String path, String body) {
        return new Request(TwinClusters.ADMIN, "POST", path, "application/json", body);
    }

    private static String bound(String kind, String name) {
        return "{\"spec\":{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"" + kind + "\",\"name\":\"" + name
                + "\"}}}";
    }

    private static void assertSame(Answers answers) {
        assertThat(ComparedTokens.text(answers.hosted())).isEqualTo(ComparedTokens.text(answers.kube()));
    }
}
