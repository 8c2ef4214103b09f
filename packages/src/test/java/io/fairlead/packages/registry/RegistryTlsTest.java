package io.fairlead.packages.registry;

import static io.fairlead.packages.registry.TestRegistry.answer;
import static io.fairlead.packages.registry.TestRegistry.redirect;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.packages.oci.BlobDigest;
import io.fairlead.packages.oci.Descriptor;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Registries that speak TLS. */
class RegistryTlsTest {
    private static final String BLOB = "a blob";
    private static final Descriptor DESCRIPTOR = Descriptor.of(BlobDigest.of(BLOB.getBytes(UTF_8)));

    private final X509Bundle ca;
    private final SSLContext identity;

    RegistryTlsTest() throws Exception {
        ca = new CertificateBuilder()
                .ecp256()
                .subject("CN=test root")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle server = new CertificateBuilder()
                .ecp256()
                .subject("CN=registry")
                .addExtendedKeyUsageServerAuth()
                .addSanIpAddress("127.0.0.2")
                .buildIssuedBy(ca);
        identity = SSLContext.getInstance("TLS");
        identity.init(server.toKeyManagerFactory().getKeyManagers(), null, new SecureRandom());
    }

    @Test
    void registryThatIsTrusted_isRead() throws Exception {
        try (TestRegistry registry = TestRegistry.startTls(identity, exchange -> answer(exchange, 200, BLOB));
                RegistryImage image = open(registry, trust())) {
            assertThat(image.blob(DESCRIPTOR)).hasContent(BLOB);
        }
    }

    @Test
    void registryThatIsNotTrusted_isToldNothing() throws IOException {
        try (TestRegistry registry = TestRegistry.startTls(identity, exchange -> answer(exchange, 200, BLOB));
                RegistryImage image = open(registry, null)) {
            assertThatThrownBy(() -> image.blob(DESCRIPTOR))
                    .isInstanceOf(RegistryException.class)
                    .hasMessageContaining(registry.host() + " cannot be trusted (");
            assertThat(registry.requests()).isEmpty();
        }
    }

    /** Not even to this machine: whoever is redirected from a registry elsewhere must not be led into it. */
    @Test
    void redirectFromTlsToPlainHttp_isRefused() throws Exception {
        try (TestRegistry plain = TestRegistry.start(exchange -> answer(exchange, 200, BLOB));
                TestRegistry registry = TestRegistry.startTls(
                        identity, exchange -> redirect(exchange, "http://" + plain.host() + "/storage"));
                RegistryImage image = open(registry, trust())) {
            assertThatThrownBy(() -> image.blob(DESCRIPTOR))
                    .isInstanceOf(RegistryException.class)
                    .hasMessageContaining(
                            "redirects to \"http://" + plain.host() + "/storage\" (expected an https URL)");
            assertThat(plain.requests()).isEmpty();
        }
    }

    private SSLContext trust() throws Exception {
        SSLContext trust = SSLContext.getInstance("TLS");
        trust.init(null, ca.toTrustManagerFactory().getTrustManagers(), new SecureRandom());
        return trust;
    }

    private static RegistryImage open(TestRegistry registry, @Nullable SSLContext trust) {
        RegistryReference reference = RegistryReference.parse(registry.host() + "/org/package@" + DESCRIPTOR.digest());
        return RegistryImage.open(reference, RegistryCredentials.none(), RegistryTimes.DEFAULT, trust);
    }
}
