package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a cluster publishes for those who verify its tokens elsewhere. */
class OpenIdDocumentsTest {
    private static final String CONFIGURATION = "/.well-known/openid-configuration";
    private static final String KEYS = "/openid/v1/jwks";

    private final TokensFixture fixture = new TokensFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONFIGURATION, CONFIGURATION + "/"})
    void configuration_saysWhereTheKeysAre(String path) {
        ApiResponse.Whole answer = get(path, "");

        assertThat(answer.contentType()).isEqualTo("application/json");
        assertThat(answer.headers()).containsEntry("Cache-Control", List.of("public, max-age=3600"));
        assertThat(Json.read(answer.body())).isEqualTo(Json.read("""
            {"issuer":"https://kubernetes.default.svc.cluster.local",
             "jwks_uri":"https://localhost:6443/clusters/dev/openid/v1/jwks",
             "response_types_supported":["id_token"],"subject_types_supported":["public"],
             "id_token_signing_alg_values_supported":["ES256"]}\
            """));
    }

    @ParameterizedTest
    @ValueSource(strings = {KEYS, KEYS + "/"})
    void keys_arePublicParts_thatVerifyTokens(String path) {
        ApiResponse.Whole answer = get(path, "*/*");

        assertThat(answer.contentType()).isEqualTo("application/jwk-set+json");
        assertThat(answer.headers()).containsEntry("Cache-Control", List.of("public, max-age=3600"));
        JsonNode key = Json.read(answer.body()).path("keys").path(0);
        assertThat(StreamSupport.stream(key.propertyNames().spliterator(), false))
                .containsExactlyInAnyOrder("use", "kty", "kid", "crv", "alg", "x", "y");
        assertThat(key.path("alg").asString("")).isEqualTo("ES256");
        String token = fixture.token("default", "{}");
        assertThat(TokenKeys.read(answer.body()).verify(SignedToken.read(token).orElseThrow()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        CONFIGURATION + ", application/yaml",
        KEYS + ", application/json",
    })
    void otherMediaTypes_areNotAcceptable(String path, String accept) {
        assertThat(get(path, accept).status()).isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD"})
    void otherMethods_areNotAllowed(String method) {
        for (String path : List.of(CONFIGURATION, KEYS)) {
            assertThat(fixture.api()
                            .send(method, path, "", "{}".getBytes(UTF_8))
                            .code())
                    .isEqualTo(405);
        }
        assertThat(fixture.signingKeys()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {CONFIGURATION, CONFIGURATION + "/", KEYS, KEYS + "/"})
    void serviceAccounts_mayRead_andNoOthers(String path) {
        var asked = RequestInfoParser.parse("GET", path, "");

        assertThat(fixture.dev().authorize(user("system:serviceaccounts"), asked))
                .isInstanceOf(Decision.Allowed.class);
        assertThat(fixture.dev().authorize(user("system:authenticated"), asked)).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void paths_areListed() {
        assertThat(fixture.api().get("/").expect(200).body().path("paths").valueStream())
                .contains(Json.nodes().stringNode(CONFIGURATION), Json.nodes().stringNode(KEYS));
    }

    private static UserInfo user(String group) {
        return UserInfo.of("jane", List.of(group));
    }

    private ApiResponse.Whole get(String path, String accept) {
        return (ApiResponse.Whole) Routing.serve(fixture.dev(), Api.request("GET", path, "", accept, new byte[0]));
    }
}
