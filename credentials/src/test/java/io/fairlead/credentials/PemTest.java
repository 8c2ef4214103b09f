package io.fairlead.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.StringWriter;
import java.security.PrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;

/** Keys in the forms that kubeconfigs carry. */
final class PemTest {
    @Test
    void pkcs8Key_isRead() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();

        assertThat(Pem.privateKey("clientKey", bundle.getPrivateKeyPEM()))
                .isEqualTo(bundle.getKeyPair().getPrivate());
    }

    @Test
    void pkcs1Key_isRead() throws Exception {
        PrivateKey key = new CertificateBuilder()
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .rsa2048()
                .buildSelfSigned()
                .getKeyPair()
                .getPrivate();

        assertThat(Pem.privateKey("clientKey", inner("RSA PRIVATE KEY", key))).isEqualTo(key);
    }

    @Test
    void sec1Key_isRead() throws Exception {
        PrivateKey key = new CertificateBuilder()
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned()
                .getKeyPair()
                .getPrivate();
        String withoutCurve = inner("EC PRIVATE KEY", key);

        assertThatThrownBy(() -> Pem.privateKey("clientKey", withoutCurve)).hasMessageContaining("clientKey");
        assertThat(Pem.privateKey("clientKey", OPENSSL_EC_KEY).getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void unreadableKey_isRefused_andNotRepeated() {
        String secret = "c2VjcmV0c2VjcmV0";

        assertThatThrownBy(() -> Pem.privateKey(
                        "clientKey", "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----"))
                .hasMessageContaining("clientKey")
                .hasMessageNotContaining(secret);
        assertThatThrownBy(() -> Pem.privateKey("clientKey", secret)).hasMessageNotContaining(secret);
    }

    private static String inner(String type, PrivateKey key) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(
                    type,
                    PrivateKeyInfo.getInstance(key.getEncoded())
                            .parsePrivateKey()
                            .toASN1Primitive()
                            .getEncoded()));
        }
        return text.toString();
    }

    /** Made by {@code openssl ecparam -genkey -name prime256v1}; of no use anywhere. */
    private static final String OPENSSL_EC_KEY = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIHfZ+QXMMlxzYX2p8bExJTPuW/KInUps5avzvY+YgrzroAoGCCqGSM49
        AwEHoUQDQgAEjGoyxBeVYsVoM/IaKUNYcNyc7ToogvlWEjmKqVQ+Z5AYFj/N1Dh+
        ydhkdbPWuV0xUKbPTZ5AsLxIIg9clTob6g==
        -----END EC PRIVATE KEY-----
        """;
}
