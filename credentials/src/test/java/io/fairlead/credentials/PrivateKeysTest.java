package io.fairlead.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateKeysTest {
    /** As {@code openssl ecparam -name prime256v1 -genkey -noout} makes them. */
    private static final String SEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIAn0ci8sfGF3rJ/MNK0xwxPm1vDxK53nl7ft6YmnOSUGoAoGCCqGSM49
        AwEHoUQDQgAEa29Iwvk35nBS9Mef6ROLgTDSPltw/OVhHL4q2dAJzsFJX3FUcd0e
        jNiTUhUoOUKJO/ry9Ye65RmwyTdRi14lEg==
        -----END EC PRIVATE KEY-----
        """;

    @Test
    void toPkcs8_sec1Key_isAnEcKey() throws Exception {
        PrivateKey key = PrivateKeys.parse(PrivateKeys.toPkcs8(SEC1));

        assertThat(key.getAlgorithm()).isEqualTo("EC");
        assertThat(key).isEqualTo(PrivateKeys.parse(SEC1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1"})
    void toSec1_ecKey_isTheSamePairWithItsLabelAndCurve(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        KeyPair pair = generator.generateKeyPair();

        String sec1 = PrivateKeys.toSec1(pem(new JcaPKCS8Generator(pair.getPrivate(), null)));

        assertThat(sec1).startsWith("-----BEGIN EC PRIVATE KEY-----\n").endsWith("-----END EC PRIVATE KEY-----\n");
        KeyPair same = pair(sec1);
        assertThat(same.getPublic()).isEqualTo(pair.getPublic());
        assertThat(((ECPrivateKey) same.getPrivate()).getS()).isEqualTo(((ECPrivateKey) pair.getPrivate()).getS());
    }

    @Test
    void toSec1_keyThatOpensslMade_staysAsItIs() throws Exception {
        assertThat(PrivateKeys.toSec1(SEC1)).isEqualTo(SEC1);
    }

    @Test
    void toSec1_otherKey_staysAsItIs() throws Exception {
        PrivateKey key =
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
        String pkcs8 = pem(new JcaPKCS8Generator(key, null));

        assertThat(PrivateKeys.toSec1(pkcs8)).isEqualTo(pkcs8);
    }

    @Test
    void toPkcs8_pkcs1Key_isTheSameKey() throws Exception {
        PrivateKey key = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate();
        String pkcs1 = pem(key);
        assertThat(pkcs1).startsWith("-----BEGIN RSA PRIVATE KEY-----");

        String pkcs8 = PrivateKeys.toPkcs8(pkcs1);

        assertThat(pkcs8).startsWith("-----BEGIN PRIVATE KEY-----");
        assertThat(PrivateKeys.parse(pkcs8)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void parse_pkcs8_isRead(String algorithm) throws Exception {
        PrivateKey key =
                KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();

        assertThat(PrivateKeys.parse(pem(new JcaPKCS8Generator(key, null)))).isEqualTo(key);
    }

    @Test
    void parse_noKey_isRefusedWithoutItsText() {
        assertThatThrownBy(() -> PrivateKeys.parse("secret-canary"))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("secret-canary");
        assertThatThrownBy(
                        () -> PrivateKeys.parse("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("c2VjcmV0");
    }

    private static KeyPair pair(String pem) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            return new JcaPEMKeyConverter().getKeyPair((PEMKeyPair) parser.readObject());
        }
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
