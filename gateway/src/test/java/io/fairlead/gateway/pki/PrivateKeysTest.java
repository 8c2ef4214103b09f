package io.fairlead.gateway.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateKeysTest {
    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void toPkcs8_traditionalKey_isTheSameKey(String algorithm) throws Exception {
        PrivateKey key =
                KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
        String traditional = pem(key);
        assertThat(traditional).startsWith("-----BEGIN " + algorithm + " PRIVATE KEY-----");

        String pkcs8 = PrivateKeys.toPkcs8(traditional);

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

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }
}
