package io.fairlead.credentials.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedTokenTest {
    private static final byte[] CLAIMS = "{\"sub\":\"jane\"}".getBytes(UTF_8);

    private final SigningKey key = SigningKey.generate();

    @Test
    void tokenOfAKey_isVerifiedByItsPublicPart_andByNoOther() {
        SignedToken token = read(key.sign(CLAIMS));

        assertThat(token.payload()).isEqualTo(CLAIMS);
        assertThat(token.keyId()).isEqualTo(key.keyId());
        assertThat(SigningKey.publicKeys(List.of(SigningKey.generate(), key)).verify(token))
                .isTrue();
        assertThat(SigningKey.publicKeys(List.of(SigningKey.generate())).verify(token))
                .isFalse();
        assertThat(TokenKeys.NONE.verify(token)).isFalse();
    }

    @Test
    void keySet_andKey_areReadAsTheyWereWritten_withoutThePrivatePart() {
        TokenKeys written = SigningKey.publicKeys(List.of(key));

        assertThat(new String(written.json(), UTF_8)).contains("\"P-256\"").doesNotContain("\"d\"");
        assertThat(TokenKeys.read(written.json()).verify(read(key.sign(CLAIMS))))
                .isTrue();
        assertThat(TokenKeys.read(written.json())).isEqualTo(written);
        assertThat(SigningKey.read(key.json()).keyId()).isEqualTo(key.keyId());
        assertThat(written.verify(read(SigningKey.read(key.json()).sign(CLAIMS))))
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigningKey.read(new String(written.json(), UTF_8)))
                .withMessageContaining("expected a private JSON Web Key");
    }

    @Test
    void changedPayload_isVerifiedByNoKey() {
        String[] parts = key.sign(CLAIMS).split("\\.", -1);
        String changed = Base64.getUrlEncoder().withoutPadding().encodeToString("{\"sub\":\"root\"}".getBytes(UTF_8));

        SignedToken token = read(parts[0] + "." + changed + "." + parts[2]);

        assertThat(SigningKey.publicKeys(List.of(key)).verify(token)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"alg\":\"none\"}",
                "{\"alg\":\"HS256\"}",
                "{\"alg\":\"EdDSA\"}",
                "{\"alg\":\"ES256K\"}",
                "{\"alg\":\"ES256\",\"crit\":[\"x\"],\"x\":1}",
                "{\"alg\":\"ES256\",\"b64\":false,\"crit\":[\"b64\"]}",
                "{\"typ\":\"JWT\"}",
                "[]",
                ""
            })
    void headersOfOtherAlgorithms_andWithWhatMustBeUnderstood_areRefused(String header) {
        String[] parts = key.sign(CLAIMS).split("\\.", -1);
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(UTF_8));

        assertThat(SignedToken.read(encoded + "." + parts[1] + "." + parts[2])).isEmpty();
        assertThat(SignedToken.read(encoded + "." + parts[1] + ".")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a.b", "a.b.c", "a.b.c.d", "\u0000.\u0000.\u0000"})
    void textsThatAreNoTokens_areNone(String text) {
        assertThat(SignedToken.read(text)).isEmpty();
    }

    /** RFC 8725 section 2.1: the public key, taken for a secret, must not sign. */
    @Test
    void publicKeyAsASecret_signsNothing() throws Exception {
        RSAKey rsa = new RSAKeyGenerator(2048).keyID("1").generate();
        JWSObject forged = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("1").build(), new Payload(CLAIMS));
        forged.sign(new MACSigner(rsa.toPublicJWK().toJSONString().getBytes(UTF_8)));

        assertThat(SignedToken.read(forged.serialize())).isEmpty();
    }

    @Test
    void keyIsUsed_onlyAsItSaysOfItself() throws Exception {
        RSAKey plain = new RSAKeyGenerator(2048).keyID("1").generate();
        String token = rsa(plain, JWSAlgorithm.PS256, "1");

        assertThat(set(plain).verify(read(token))).isTrue();
        assertThat(set(new RSAKey.Builder(plain).algorithm(JWSAlgorithm.RS256).build())
                        .verify(read(token)))
                .isFalse();
        assertThat(set(new RSAKey.Builder(plain).keyID("2").build()).verify(read(token)))
                .isFalse();
        assertThat(set(plain).verify(read(rsa(plain, JWSAlgorithm.PS256, null))))
                .as("it names no key")
                .isTrue();
        assertThat(set(plain).verify(read(rsa(plain, JWSAlgorithm.PS256, "../../1"))))
                .isFalse();
        RSAKey forEncryption =
                new RSAKey.Builder(plain).keyUse(KeyUse.ENCRYPTION).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> set(forEncryption))
                .withMessageContaining("no key by which");
    }

    @Test
    void keyOfAnotherCurve_verifiesNothing() throws Exception {
        assertThat(set(new ECKeyGenerator(Curve.P_384).keyID(key.keyId()).generate())
                        .verify(read(key.sign(CLAIMS))))
                .isFalse();
    }

    @Test
    void sets_withoutAUsableKey_orWithTooMany_areRefused() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenKeys.read("<html>".getBytes(UTF_8)))
                .withMessageContaining("no JSON Web Key Set");
        JWK secret = new OctetSequenceKeyGenerator(256).generate();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TokenKeys.read(new JWKSet(secret).toString(false).getBytes(UTF_8)))
                .withMessageContaining("no key by which");
        String one = SigningKey.generate().json();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TokenKeys.read(("{\"keys\":[" + (one + ",").repeat(100) + one + "]}").getBytes(UTF_8)))
                .withMessageContaining("101 keys");
    }

    private static TokenKeys set(JWK key) {
        return TokenKeys.read(new JWKSet(key).toString(true).getBytes(UTF_8));
    }

    private static String rsa(RSAKey key, JWSAlgorithm algorithm, @Nullable String keyId) throws Exception {
        JWSObject token =
                new JWSObject(new JWSHeader.Builder(algorithm).keyID(keyId).build(), new Payload(CLAIMS));
        JWSSigner signer = new RSASSASigner(key);
        assertThat(Set.copyOf(signer.supportedJWSAlgorithms())).contains(algorithm);
        token.sign(signer);
        return token.serialize();
    }

    private static SignedToken read(String text) {
        return SignedToken.read(text).orElseThrow();
    }
}
