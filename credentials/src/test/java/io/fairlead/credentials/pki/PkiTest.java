package io.fairlead.credentials.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.credentials.PrivateKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PkiTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "::1", "*.k8s.example.com");

    @TempDir
    private Path folder;

    private Instant now = START;
    private final InstantSource clock = () -> now;

    @Test
    void open_newFolder_makesACaThatOnlyTheOwnerCanUse() throws Exception {
        Pki pki = open();

        X509Certificate ca = KeyedCertificate.parse(pki.caCertificate());
        ca.verify(ca.getPublicKey());
        assertThat(ca.getBasicConstraints()).isZero();
        assertThat(mode("")).isEqualTo("rwx------");
        assertThat(mode("ca.key")).isEqualTo("rw-------");
    }

    @Test
    void serving_hosts_areAlternativeNamesSignedByTheCa() throws Exception {
        Pki pki = open();

        KeyedCertificate serving = pki.serving(HOSTS);

        serving.parsed().verify(KeyedCertificate.parse(pki.caCertificate()).getPublicKey());
        assertThat(serving.hosts()).contains("localhost", "127.0.0.1", "*.k8s.example.com");
        assertThat(serving.parsed().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(PrivateKeys.parse(serving.key()).getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void admin_certificate_namesUserAndGroup() throws Exception {
        X509Certificate admin = open().admin().parsed();

        assertThat(admin.getSubjectX500Principal().getName())
                .contains("CN=fairlead-admin")
                .contains("O=system:masters");
        assertThat(admin.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    }

    @Test
    void open_again_keepsEverything() throws Exception {
        Pki first = open();
        KeyedCertificate serving = first.serving(HOSTS);
        KeyedCertificate admin = first.admin();

        Pki second = open();

        assertThat(second.caCertificate()).isEqualTo(first.caCertificate());
        assertThat(second.serving(HOSTS)).isEqualTo(serving);
        assertThat(second.admin()).isEqualTo(admin);
    }

    @Test
    void serving_furtherHost_isIssuedAnew() throws Exception {
        KeyedCertificate before = open().serving(HOSTS);

        KeyedCertificate after = open().serving(Set.of("localhost", "fairlead.example.com"));

        assertThat(after).isNotEqualTo(before);
        assertThat(after.hosts()).contains("fairlead.example.com");
    }

    @Test
    void serving_nearItsEnd_isRenewedInTime() throws Exception {
        KeyedCertificate before = open().serving(HOSTS);

        now = START.plus(Duration.ofDays(304));
        assertThat(open().serving(HOSTS)).isEqualTo(before);

        now = START.plus(Duration.ofDays(306));
        KeyedCertificate renewed = open().serving(HOSTS);
        assertThat(renewed).isNotEqualTo(before);
        assertThat(renewed.parsed().getNotAfter().toInstant()).isAfter(now.plus(Duration.ofDays(300)));
    }

    @Test
    void open_expiredCa_saysSo() throws Exception {
        open();

        now = START.plus(Duration.ofDays(3651));

        assertThatThrownBy(this::open)
                .isInstanceOf(PkiException.class)
                .hasMessageStartingWith(folder.resolve("ca.crt") + ": the certificate expired on 2035-12-30T");
    }

    @Test
    void open_damagedCa_namesTheFile() throws Exception {
        open();
        Files.writeString(folder.resolve("ca.crt"), "no certificate");

        assertThatThrownBy(this::open)
                .isInstanceOf(PkiException.class)
                .hasMessageStartingWith(folder.resolve("ca.crt").toString());
    }

    private Pki open() throws PkiException {
        return Pki.open(folder, clock);
    }

    private String mode(String name) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }
}
