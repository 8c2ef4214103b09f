package io.fairlead.hosted.cluster;

import static io.fairlead.hosted.cluster.TokensFixture.claims;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.schema.json.Json;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a client sends as a token, it is no user without the signature of the cluster's key. */
class HostileTokensTest {
    private static final String NO_KEY = "invalid signature, no keys found";
    private static final String NO_ALGORITHM = "it is not signed by an algorithm that is accepted";

    private final TokensFixture fixture = new TokensFixture();
    private String token = "";
    private ObjectNode claims = Json.object();
    private String keyId = "";

    @BeforeEach
    void issue() {
        token = fixture.token("default", "{}");
        claims = claims(token);
        keyId = fixture.signingKeys().getFirst().keyId();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", ""})
    void unsigned_isRefused(String algorithm) {
        String head = Json.text(Json.object().put("alg", algorithm).put("kid", keyId));

        assertThat(fixture.refusal(encoded(head) + "." + encoded(Json.text(claims)) + "."))
                .isEqualTo(NO_ALGORITHM);
        assertThat(fixture.refusal(encoded(head) + "." + encoded(Json.text(claims)) + "." + token.split("\\.", -1)[2]))
                .isEqualTo(NO_ALGORITHM);
    }

    @Test
    void publicKey_isNoSecret() throws GeneralSecurityException {
        byte[] published = fixture.api()
                .get("/openid/v1/jwks")
                .expect(200)
                .body()
                .toString()
                .getBytes(UTF_8);
        String head = encoded(Json.text(Json.object().put("alg", "HS256").put("kid", keyId)));
        String signed = head + "." + encoded(Json.text(claims));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(published, "HmacSHA256"));

        assertThat(fixture.refusal(signed + "." + encoded(mac.doFinal(signed.getBytes(UTF_8)))))
                .isEqualTo(NO_ALGORITHM);
    }

    @Test
    void keyOfTheClient_isNotTaken_whateverTheHeaderSays() {
        SigningKey own = SigningKey.generate();
        String foreign = own.sign(Json.write(claims));
        String jwk = Json.text(((ObjectNode) Json.read(own.json())).without("d"));

        assertThat(fixture.refusal(foreign)).isEqualTo(NO_KEY);
        assertThat(fixture.refusal(withHeader(foreign, "{\"alg\":\"ES256\",\"kid\":\"" + keyId + "\"}")))
                .isEqualTo("invalid signature");
        assertThat(fixture.refusal(
                        withHeader(foreign, "{\"alg\":\"ES256\",\"kid\":\"" + keyId + "\",\"jwk\":" + jwk + "}")))
                .isEqualTo("invalid signature");
        assertThat(fixture.refusal(withHeader(
                        foreign, "{\"alg\":\"ES256\",\"kid\":\"" + keyId + "\",\"jku\":\"https://localhost/keys\"}")))
                .isEqualTo("invalid signature");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../etc/passwd",
                "/signing-keys/",
                "..%2f..%2f",
                "\u0000",
                "",
                "' OR 1=1 --",
            })
    void keyId_isOnlyCompared(String hostile) {
        String head = Json.text(Json.object().put("alg", "ES256").put("kid", hostile));

        assertThat(fixture.refusal(withHeader(token, head))).isIn(NO_KEY, NO_ALGORITHM);
    }

    @Test
    void keyId_mustBeNamed() {
        assertThat(fixture.refusal(withHeader(token, "{\"alg\":\"ES256\"}"))).isEqualTo(NO_KEY);
    }

    @Test
    void criticalHeader_isRefused() {
        assertThat(fixture.refusal(withHeader(
                        token, "{\"alg\":\"ES256\",\"kid\":\"" + keyId + "\",\"crit\":[\"b64\"],\"b64\":false}")))
                .isEqualTo(NO_ALGORITHM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sub",
                "aud",
                "exp",
                "iss",
                "kubernetes.io",
            })
    void changedClaim_isRefused(String name) {
        ObjectNode changed = claims.deepCopy();
        changed.put(name, name.equals("iss") ? "kubernetes/serviceaccount" : "system:serviceaccount:kube-system:admin");
        String[] parts = token.split("\\.", -1);

        assertThat(fixture.refusal(parts[0] + "." + encoded(Json.text(changed)) + "." + parts[2]))
                .isEqualTo("invalid signature");
    }

    @Test
    void signatureOfZeros_isRefused() {
        String[] parts = token.split("\\.", -1);

        assertThat(fixture.refusal(parts[0] + "." + parts[1] + "." + encoded(new byte[64])))
                .isEqualTo("invalid signature");
        assertThat(fixture.refusal(parts[0] + "." + parts[1] + ".")).isIn("invalid signature", NO_ALGORITHM);
    }

    static List<String> strangers() {
        return List.of(
                "",
                ".",
                "..",
                "...",
                "a.b.c",
                "token-of-a-user",
                "{\"payload\":\"\"}",
                "e30.e30.e30",
                "e30." + encoded("[]") + ".e30",
                "e30." + encoded("\"x\"") + ".e30",
                "e30." + encoded("{\"iss\":5}") + ".e30",
                "e30." + encoded("{\"iss\":[\"" + TokensFixture.ISSUER + "\"]}") + ".e30",
                "e30." + encoded("{\"iss\":\"https://accounts.example.com\"}") + ".e30",
                "e30." + encoded("{\"iss\":\"" + TokensFixture.ISSUER + "/\"}") + ".e30",
                "e30." + encoded("[".repeat(30_000)) + ".e30",
                "e30." + encoded("{\"a\":".repeat(8_000)) + ".e30",
                "e30." + encoded("{\"a\":1e999999999}") + ".e30",
                "e30." + "\u00e4\ud83d\ude00\u0000" + ".e30",
                "a".repeat(60_000),
                "e30." + "a".repeat(60_000) + ".e30",
                "e30.e30.e30." + "x".repeat(10),
                "e30." + encoded("{\"iss\":\"" + TokensFixture.ISSUER + "\",\"a\":\"" + "a".repeat(1 << 20) + "\"}")
                        + ".e30");
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void tokenOfAnotherKind_isForeign(String stranger) {
        assertThat(fixture.refusal(stranger)).isEqualTo("foreign");
    }

    @Test
    void largeToken_isRefused_withoutASignatureBeingVerified() {
        String large = Json.text(claims.deepCopy().put("more", "x".repeat(40_000)));
        String head = encoded("{\"alg\":\"ES256\",\"kid\":\"another\"}");

        assertThat(fixture.refusal(head + "." + encoded(large) + "." + token.split("\\.", -1)[2]))
                .isEqualTo(NO_KEY);
    }

    @Test
    void largeHeader_isRefused() {
        String head = encoded("{\"alg\":\"ES256\",\"kid\":\"" + "k".repeat(40_000) + "\"}");

        assertThat(fixture.refusal(head + "." + token.split("\\.", -1)[1] + ".e30"))
                .isIn(NO_KEY, NO_ALGORITHM);
    }

    @Test
    void stranger_makesNoKey_andReadsNoObject() {
        AtomicInteger refused = new AtomicInteger();
        try (TokensFixture unused = new TokensFixture()) {
            unused.dev();
            long revision = unused.store.revision();
            for (String stranger : strangers()) {
                if (unused.refusal(stranger).equals("foreign")) {
                    refused.incrementAndGet();
                }
            }
            assertThat(unused.refusal(token)).isEqualTo(NO_KEY);

            assertThat(unused.signingKeys()).isEmpty();
            assertThat(unused.store.revision()).isGreaterThanOrEqualTo(revision);
        }
        assertThat(refused).hasValue(strangers().size());
    }

    private static String withHeader(String signed, String header) {
        String[] parts = signed.split("\\.", -1);
        return encoded(header) + "." + parts[1] + "." + parts[2];
    }

    private static String encoded(String text) {
        return encoded(text.getBytes(UTF_8));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
