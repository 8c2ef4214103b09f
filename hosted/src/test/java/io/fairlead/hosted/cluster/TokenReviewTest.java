package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.ACCOUNTS;
import static io.fairlead.hosted.cluster.TokensFixture.ISSUER;
import static io.fairlead.hosted.cluster.TokensFixture.claims;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A TokenReview says whose token it is, among the ServiceAccounts of the cluster. */
class TokenReviewTest {
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

    private final TokensFixture fixture = new TokensFixture();
    private final Api api = fixture.api();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void token_isItsServiceAccount() {
        String token = fixture.token("default", "{}");
        String uid = api.get(ACCOUNTS + "/default").at("/metadata/uid");

        assertThat(review(token, "")).isEqualTo(Json.read("""
            {"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":{"token":"%s"},
             "status":{"authenticated":true,
                       "user":{"username":"system:serviceaccount:default:default","uid":"%s",
                               "groups":["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"],
                               "extra":{"authentication.kubernetes.io/credential-id":["JTI=%s"]}},
                       "audiences":["%s"]}}\
            """.formatted(
                        token, uid, claims(token).path("jti").asString(""), ISSUER)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[vault, other] | \"vault\" | [\"vault\"]",
                "[vault, other] | \"x\",\"other\",\"vault\" | [\"other\",\"vault\"]",
                "[vault] | \"x\" | -",
                "[vault] | '' | -",
                "[] | \"vault\" | -",
                "[] | '' | [\"https://kubernetes.default.svc.cluster.local\"]",
            })
    void audiences_areThoseThatAreAskedFor_andMeant(String meant, String asked, String audiences) {
        JsonNode status = review(fixture.token("default", "spec: {audiences: " + meant + "}"), asked)
                .path("status");

        assertThat(status.path("authenticated").asBoolean(false)).isEqualTo(!audiences.equals("-"));
        if (audiences.equals("-")) {
            assertThat(status.path("error").asString("")).startsWith("[invalid bearer token, token audiences [");
            assertThat(status.path("user")).isEmpty();
        } else {
            assertThat(status.path("audiences")).isEqualTo(Json.read(audiences));
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 201", "101, 422", "240000, 422"})
    void audiences_areBounded(int count, int code) {
        String asked = "\"a\"" + ",\"a\"".repeat(count - 1);
        String token = fixture.token("default", "{}");

        Api.Answer answer =
                api.createJson(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\",\"audiences\":[" + asked + "]}}");

        answer.expect(code);
        if (code == 422) {
            assertThat(answer.message())
                    .isEqualTo("TokenReview.authentication.k8s.io \"\" is invalid: spec.audiences: Too many: " + count
                            + ": must have at most 100 items");
            assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.audiences");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-of-a-user-of-the-gateway", "a.b.c"})
    void tokenOfTheGateway_isNotKnown(String token) {
        assertThat(review(token, "").path("status"))
                .isEqualTo(Json.read("{\"user\":{},\"error\":\"invalid bearer token\"}"));
    }

    @Test
    void tokenOfADeletedAccount_isNotAuthenticated() {
        api.create(ACCOUNTS, "metadata: {name: robot}").expect(201);
        String token = fixture.token("robot", "{}");

        api.delete(ACCOUNTS + "/robot").expect(200);

        assertThat(review(token, "").path("status"))
                .isEqualTo(Json.read(
                        "{\"user\":{},\"error\":\"[invalid bearer token, serviceaccounts \\\"robot\\\" not found]\"}"));
    }

    @Test
    void tokenIsRequired() {
        assertThat(api.create(REVIEWS, "spec: {audiences: [a]}").expect(400).message())
                .isEqualTo("token is required for TokenReview in authentication");
    }

    @Test
    void review_isOnlyCreated() {
        assertThat(api.get(REVIEWS).code()).isEqualTo(405);
        assertThat(api.get(REVIEWS + "/a").code()).isEqualTo(404);
        assertThat(api.create("/apis/authentication.k8s.io/v1/namespaces/default/tokenreviews", "spec: {token: a}")
                        .code())
                .isEqualTo(404);
    }

    @Test
    void discovery_hasIt() {
        assertThat(api.get("/apis/authentication.k8s.io/v1").expect(200).body().path("resources"))
                .isEqualTo(Json.read("""
                    [{"name":"selfsubjectreviews","singularName":"selfsubjectreview","namespaced":false,
                      "kind":"SelfSubjectReview","verbs":["create"]},
                     {"name":"tokenreviews","singularName":"tokenreview","namespaced":false,"kind":"TokenReview",
                      "verbs":["create"]}]\
                    """));
    }

    private JsonNode review(String token, String audiences) {
        String asked = audiences.isEmpty() ? "" : ",\"audiences\":[" + audiences + "]";
        return api.createJson(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\"" + asked + "}}")
                .expect(201)
                .body();
    }
}
