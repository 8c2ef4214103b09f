package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.Problem;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in the files that a configuration names. */
class ConfiguredFilesTest {
    private static final Instant NOW = Instant.parse("2030-02-03T04:05:06Z");

    @TempDir
    private Path folder;

    private final Map<String, String> flags = new HashMap<>();
    private X509Bundle serving;

    @BeforeEach
    void writeGoodOnes() throws Exception {
        serving = certificate(NOW.plusSeconds(600));
        name("tlsCertFile", serving.getCertificatePathPEM());
        name("tlsPrivateKeyFile", serving.getPrivateKeyPEM());
        name("clientCaFile", serving.getCertificatePEM());
        name("tokenAuthFile", "secret,jane,uid-1,\"a,b\"\n");
    }

    @Test
    void goodFiles_areSilent() {
        assertThat(problems()).isEmpty();
    }

    @Test
    void auditPolicyThatCannotBeUsed_isTold() throws IOException {
        name("auditPolicyFile", "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Everything}]}");
        flags.put("auditLogPath", folder.resolve("audit.log").toString());

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("auditPolicyFile", "rules[0].level: Unsupported value: \"Everything\"");
    }

    @Test
    void missingFile_isToldOnce() throws IOException {
        Files.delete(folder.resolve("clientCaFile"));

        assertThat(problems()).singleElement().asString().contains("clientCaFile", "there is no such file");
    }

    @Test
    void filesOfOtherThings_areToldAllAtOnce_withWhatWasExpected() throws IOException {
        for (String key : List.copyOf(flags.keySet())) {
            name(key, "canary of a file that is something else\n");
        }

        assertThat(problems())
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("tlsCertFile", "(expected PEM: -----BEGIN CERTIFICATE-----)"),
                        text -> assertThat(text)
                                .contains("tlsPrivateKeyFile", "(expected -----BEGIN PRIVATE KEY-----)"),
                        text -> assertThat(text)
                                .contains("clientCaFile", "(expected PEM: -----BEGIN CERTIFICATE-----)"),
                        text -> assertThat(text).contains("tokenAuthFile", "line 1: 1 column (expected token,user,uid"))
                .allSatisfy(text -> assertThat(text).doesNotContain("canary"));
    }

    @Test
    void emptyFiles_areTold_butThatOfTokens() throws IOException {
        for (String key : List.copyOf(flags.keySet())) {
            name(key, "");
        }

        assertThat(problems()).hasSize(3).noneMatch(text -> text.contains("tokenAuthFile"));
    }

    @Test
    void expiredCertificate_isToldWithItsEnd() throws Exception {
        Instant end = NOW.minusSeconds(60);
        X509Bundle expired = certificate(end);
        name("tlsCertFile", expired.getCertificatePathPEM());
        name("tlsPrivateKeyFile", expired.getPrivateKeyPEM());

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("tlsCertFile", "the certificate expired on " + end, "(expected one that is valid now)");
    }

    @Test
    void bundleOfWhichOneIsValid_isEnough() throws Exception {
        name("clientCaFile", certificate(NOW.minusSeconds(60)).getCertificatePEM() + serving.getCertificatePEM());

        assertThat(problems()).isEmpty();
    }

    @Test
    void keyOfAnotherCertificate_isTold() throws Exception {
        name("tlsPrivateKeyFile", certificate(NOW.plusSeconds(600)).getPrivateKeyPEM());

        assertThat(problems())
                .singleElement()
                .asString()
                .contains("tlsPrivateKeyFile", "is not the key of the certificate");
    }

    @Test
    void binaryFile_isTold() throws IOException {
        Files.write(folder.resolve("clientCaFile"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(problems()).singleElement().asString().contains("clientCaFile", "is not text (expected PEM");
    }

    private void name(String key, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(key), content);
        flags.put(key, file.toString());
    }

    private List<String> problems() {
        try {
            ConfigurationReader.read(null, Map.of(), flags, new ConfiguredFiles(InstantSource.fixed(NOW)));
            return List.of();
        } catch (ConfigurationException invalid) {
            return invalid.problems().stream().map(Problem::toString).toList();
        }
    }

    private static X509Bundle certificate(Instant end) throws Exception {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .notBefore(NOW.minusSeconds(3600))
                .notAfter(end)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }
}
