package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.ACCOUNTS;
import static io.fairlead.hosted.cluster.TokensFixture.SECRETS;
import static io.fairlead.hosted.cluster.TokensFixture.claims;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Secrets of the type {@code kubernetes.io/service-account-token}, and the tokens in them. */
class TokenSecretsTest {
    private static final String SECRET = """
        metadata: {name: s, annotations: {kubernetes.io/service-account.name: default}}
        type: kubernetes.io/service-account-token
        """;

    private final TokensFixture fixture = new TokensFixture();
    private final Api api = fixture.api();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void secret_isFilled() {
        api.create(SECRETS, SECRET).expect(201);

        String token = tokenIn("s");

        Answer filled = api.get(SECRETS + "/s").expect(200);
        String uid = api.get(ACCOUNTS + "/default").at("/metadata/uid");
        assertThat(decoded(filled, "ca.crt")).isEqualTo("CERTIFICATES");
        assertThat(decoded(filled, "namespace")).isEqualTo("default");
        assertThat(filled.body().path("metadata").path("annotations")).isEqualTo(Json.read("""
            {"kubernetes.io/service-account.name":"default","kubernetes.io/service-account.uid":"%s"}\
            """.formatted(uid)));
        assertThat(claims(token)).isEqualTo(Json.read("""
            {"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"default",
             "kubernetes.io/serviceaccount/secret.name":"s",
             "kubernetes.io/serviceaccount/service-account.name":"default",
             "kubernetes.io/serviceaccount/service-account.uid":"%s","sub":"system:serviceaccount:default:default"}\
            """.formatted(uid)));
    }

    @Test
    void token_isItsServiceAccount_forEver() {
        api.create(SECRETS, SECRET).expect(201);
        String token = tokenIn("s");

        fixture.pass(Duration.ofDays(10_000));

        assertThat(fixture.verdict(token)).isInstanceOfSatisfying(TokenVerdict.Accepted.class, accepted -> {
            assertThat(accepted.user().name()).isEqualTo("system:serviceaccount:default:default");
            assertThat(accepted.user().uid())
                    .isEqualTo(api.get(ACCOUNTS + "/default").at("/metadata/uid"));
            assertThat(accepted.user().groups())
                    .isEqualTo(List.of("system:serviceaccounts", "system:serviceaccounts:default"));
            assertThat(accepted.user().extra()).isEmpty();
        });
    }

    @Test
    void secretOfNoAccount_isDeleted() {
        api.create(SECRETS, SECRET.replace("name: default}", "name: none}")).expect(201);

        awaitGone("s");
    }

    @Test
    void secretOfAnotherIncarnation_isDeleted() {
        api.create(SECRETS, SECRET.replace("name: default}", "name: default, kubernetes.io/service-account.uid: x}"))
                .expect(201);

        awaitGone("s");
    }

    @Test
    void secrets_goWithTheirAccount_andNoOthers() {
        api.create(ACCOUNTS, "metadata: {name: robot}").expect(201);
        api.create(SECRETS, SECRET.replace("name: default}", "name: robot}")).expect(201);
        api.create(SECRETS, SECRET.replace("name: s,", "name: t,")).expect(201);
        String token = tokenIn("s");
        tokenIn("t");

        api.delete(ACCOUNTS + "/robot").expect(200);

        assertThat(fixture.verdict(token)).isInstanceOf(TokenVerdict.Refused.class);
        awaitGone("s");
        api.get(SECRETS + "/t").expect(200);
    }

    @Test
    void tokenThatWasCleared_isMadeAnew_andTheOldOneIsRefused() {
        api.create(SECRETS, SECRET).expect(201);
        String first = tokenIn("s");
        api.merge(SECRETS + "/s", "{\"data\":null}").expect(200);

        Fixture.eventually("there is another token", () -> isAnother("s", first));

        assertThat(fixture.refusal(first)).isEqualTo("Token does not match server's copy");
        assertThat(fixture.verdict(tokenIn("s"))).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void tokenOfADeletedSecret_isRefused() {
        api.create(SECRETS, SECRET).expect(201);
        String token = tokenIn("s");

        api.delete(SECRETS + "/s").expect(200);

        assertThat(fixture.refusal(token)).isEqualTo("Token has been invalidated");
    }

    @Test
    void tokenThatIsMarkedInvalid_isRefused() {
        api.create(SECRETS, SECRET).expect(201);
        String token = tokenIn("s");

        api.merge(
                        SECRETS + "/s",
                        "{\"metadata\":{\"labels\":{\"kubernetes.io/legacy-token-invalid-since\":\"2026-11-27\"}}}")
                .expect(200);

        assertThat(fixture.refusal(token)).contains("has been marked invalid");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kubernetes.io/serviceaccount/namespace | namespace claim is missing | sub claim is invalid",
                "kubernetes.io/serviceaccount/secret.name | secretName claim is missing | Token has been invalidated",
                "kubernetes.io/serviceaccount/service-account.name | serviceAccountName claim is missing | sub claim is"
                        + " invalid",
                "kubernetes.io/serviceaccount/service-account.uid | serviceAccountUID claim is missing | does not match"
                        + " claim (other)",
                "sub | sub claim is invalid | sub claim is invalid",
            })
    void claim_mustBeThere_andFit(String name, String missing, String unfit) {
        api.create(SECRETS, SECRET).expect(201);
        ObjectNode claims = claims(tokenIn("s"));

        assertThat(fixture.refusal(stored(claims.deepCopy().without(name)))).isEqualTo(missing);
        assertThat(fixture.refusal(stored(claims.put(name, "other")))).contains(unfit);
    }

    @Test
    void tokenOfASecret_thatIsBeingDeleted_isRefused() {
        api.create(SECRETS, SECRET.replace("name: s,", "name: s, finalizers: [example.com/stays],"))
                .expect(201);
        String token = tokenIn("s");

        api.delete(SECRETS + "/s").expect(200);

        assertThat(fixture.refusal(token)).isEqualTo("Token has been invalidated");
    }

    @Test
    void tokenOfAnAccount_thatIsBeingDeleted_isRefused() {
        api.create(ACCOUNTS, "metadata: {name: robot, finalizers: [example.com/stays]}")
                .expect(201);
        api.create(SECRETS, SECRET.replace("name: default}", "name: robot}")).expect(201);
        String token = tokenIn("s");

        api.delete(ACCOUNTS + "/robot").expect(200);

        assertThat(fixture.refusal(token)).isEqualTo("ServiceAccount default/robot has been deleted");
    }

    @Test
    void certificates_areMended_andOtherDataIsKept() {
        api.create(SECRETS, SECRET + "data: {extra: eA==}\n").expect(201);
        String token = tokenIn("s");

        api.merge(SECRETS + "/s", "{\"data\":{\"ca.crt\":\"eA==\"}}").expect(200);

        Fixture.eventually(
                "the certificates are mended",
                () -> decoded(api.get(SECRETS + "/s"), "ca.crt").equals("CERTIFICATES"));
        assertThat(decoded(api.get(SECRETS + "/s"), "extra")).isEqualTo("x");
        assertThat(tokenIn("s")).isEqualTo(token);
    }

    @Test
    void textThatIsNoToken_isLeftAlone() {
        api.create(SECRETS, SECRET + "stringData: {token: mine}\n").expect(201);

        Fixture.eventually(
                "the rest is filled in",
                () -> decoded(api.get(SECRETS + "/s"), "namespace").equals("default"));

        assertThat(tokenIn("s")).isEqualTo("mine");
    }

    @Test
    void tokenOfAnotherKey_isReplaced() {
        api.create(SECRETS, SECRET).expect(201);
        ObjectNode claims = claims(tokenIn("s"));
        String foreign = SigningKey.generate().sign(Json.write(claims));
        api.merge(SECRETS + "/s", "{\"data\":{\"token\":\"" + base64(foreign) + "\"}}")
                .expect(200);

        Fixture.eventually("the token is replaced", () -> isAnother("s", foreign));

        assertThat(fixture.verdict(tokenIn("s"))).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void tokenOfARetiredKey_isReplaced() {
        api.create(SECRETS, SECRET).expect(201);
        String old = tokenIn("s");
        fixture.pass(Duration.ofMinutes(1));
        api.merge(
                        TokensFixture.SYSTEM_NAMESPACE,
                        "{\"metadata\":{\"annotations\":{\"fairlead.io/token-keys-accepted-since\":"
                                + "\"2026-11-27T12:00:30Z\"}}}")
                .expect(200);

        Fixture.eventually("the token is replaced", () -> isAnother("s", old));

        assertThat(fixture.verdict(old)).isInstanceOf(TokenVerdict.Refused.class);
        assertThat(fixture.verdict(tokenIn("s"))).isInstanceOf(TokenVerdict.Accepted.class);
    }

    @Test
    void immutableSecret_isNotFilled_andHoldsNothingUp() {
        api.create(SECRETS, SECRET + "immutable: true\n").expect(201);
        api.create(SECRETS, SECRET.replace("name: s,", "name: t,")).expect(201);

        tokenIn("t");

        assertThat(api.get(SECRETS + "/s").expect(200).body().has("data")).isFalse();
    }

    @Test
    void secretThatIsGone_isNoMoreAmongThoseOfItsAccount() {
        api.create(ACCOUNTS, "{metadata: {name: robot}, secrets: [{name: s}, {name: other}]}")
                .expect(201);
        api.create(SECRETS, SECRET.replace("name: default}", "name: robot}")).expect(201);
        tokenIn("s");

        api.delete(SECRETS + "/s").expect(200);

        Fixture.eventually(
                "it is not named any more",
                () -> api.get(ACCOUNTS + "/robot")
                        .body()
                        .path("secrets")
                        .toString()
                        .equals("[{\"name\":\"other\"}]"));
    }

    @Test
    void secretOfAnotherType_isLeftAlone() {
        api.create(SECRETS, """
            metadata: {name: o, annotations: {kubernetes.io/service-account.name: none, like: kubernetes.io/service-account-token}}
            """).expect(201);
        api.create(SECRETS, SECRET).expect(201);

        tokenIn("s");

        api.get(SECRETS + "/o").expect(200);
    }

    /** A token of such claims, which the Secret has as well. */
    private String stored(ObjectNode claims) {
        String token = fixture.signed(claims);
        api.merge(SECRETS + "/s", "{\"data\":{\"token\":\"" + base64(token) + "\"}}")
                .expect(200);
        return token;
    }

    private String tokenIn(String secret) {
        Fixture.eventually(
                "there is a token in " + secret,
                () -> !decoded(api.get(SECRETS + "/" + secret), "token").isEmpty());
        return decoded(api.get(SECRETS + "/" + secret), "token");
    }

    private boolean isAnother(String secret, String before) {
        String token = decoded(api.get(SECRETS + "/" + secret), "token");
        return !token.isEmpty() && !token.equals(before);
    }

    private void awaitGone(String secret) {
        Fixture.eventually(
                "the secret is gone", () -> api.get(SECRETS + "/" + secret).code() == 404);
    }

    private static String decoded(Answer secret, String name) {
        return new String(Base64.getDecoder().decode(secret.at("/data/" + name)), UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
