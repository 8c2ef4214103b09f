package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.NamedFiles;
import io.fairlead.gateway.logging.Logging;
import io.fairlead.testkit.LogLines;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a running gateway reads again when it is asked to. */
class ReloadingTest {
    private static final List<String> FILES =
            List.of("tlsCertFile", "tlsPrivateKeyFile", "clientCaFile", "tokenAuthFile", "config");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    private final Map<String, String> flags = new HashMap<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private Operator before;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Gateway gateway;

    /** What an operator writes into the files. */
    private record Operator(X509Bundle serving, X509Bundle clients, String token) {
        static Operator named(String name) throws Exception {
            return new Operator(certificate(name), certificate(name), "token-of-" + name);
        }

        X509Bundle client() throws Exception {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=ann,O=system:masters")
                    .addExtendedKeyUsageClientAuth()
                    .buildIssuedBy(clients);
        }

        private static X509Bundle certificate(String name) throws Exception {
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + name)
                    .addSanDnsName("localhost")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
        }
    }

    @BeforeEach
    void start() throws Exception {
        before = Operator.named("before");
        write(before, "info");
        flags.put("dataDir", folder.resolve("data").toString());
        flags.put("securePort", "0");
        flags.put("metricsAddress", "off");
        gateway = Gateway.start(read(new ConfiguredFiles(InstantSource.system())), this::read);
    }

    @AfterEach
    void stop() {
        Logging.quiet();
        gateway.close();
    }

    @Test
    void filesThatWereReplaced_areUsedAtOnce() throws Exception {
        Operator after = Operator.named("after");
        assertKnown(before);
        assertUnknown(after);
        write(after, "debug");
        flags.put("baseDomain", "fleet.example");
        flags.put("limits.shortCallsMax", "7");

        assertThat(reload())
                .isEqualTo("INFO Files were read again (SIGHUP) certificates=changed clientCa=changed tokens=changed"
                        + " authentication=unchanged auditPolicy=unchanged logLevel=changed"
                        + " needRestart=baseDomain,limits.shortCallsMax");

        assertKnown(after);
        assertUnknown(before);
        assertThat(LoggerFactory.getLogger("io.fairlead.gateway").isDebugEnabled())
                .isTrue();
        assertThat(LoggerFactory.getLogger("io.netty").isInfoEnabled()).isFalse();
        assertThat(reload())
                .startsWith("INFO Files were read again (SIGHUP) certificates=unchanged clientCa=unchanged"
                        + " tokens=unchanged authentication=unchanged auditPolicy=unchanged logLevel=unchanged");
    }

    @Test
    void levelsOfPackages_count_stayIfOthersAreWrong_andGoWithTheirEntry() throws Exception {
        configure("logLevels: {io.fairlead.net: debug}");
        assertThat(reload()).startsWith("INFO ").contains(" logLevel=changed").doesNotContain("needRestart");
        assertThat(isDebugged("io.fairlead.net.Call")).isTrue();
        assertThat(isDebugged("io.fairlead.index.FleetIndex")).isFalse();

        configure("logLevels: {io.fairlead.nett: debug, io.fairlead.index: debug}");
        assertThat(reload())
                .startsWith("WARN ")
                .contains(" logLevel=refused: " + folder.resolve("config")
                        + ":3:12: logLevels: \"io.fairlead.nett\" (expected the name of a package or class of"
                        + " Fairlead");
        configure("logLevels: {io.fairlead.index: loud}");
        assertThat(reload())
                .startsWith("WARN ")
                .contains(" logLevel=refused: " + folder.resolve("config")
                        + ":3:12: logLevels.io.fairlead.index: \"loud\" (expected error, warn, info, debug or trace");
        assertThat(isDebugged("io.fairlead.net.Call")).isTrue();
        assertThat(isDebugged("io.fairlead.index.FleetIndex")).isFalse();

        configure("logLevels: {}");
        assertThat(reload()).startsWith("INFO ").contains(" logLevel=changed");
        assertThat(isDebugged("io.fairlead.net.Call")).isFalse();
    }

    @Test
    void filesThatCannotBeUsed_changeNothing() throws Exception {
        for (String file : FILES) {
            Files.writeString(folder.resolve(file), "canary");
        }

        assertThat(reload())
                .startsWith("WARN Files were read again (SIGHUP) certificates=refused: ")
                .contains(" tokens=refused: tokenAuthFile: " + folder.resolve("tokenAuthFile") + ": token file, line 1")
                .contains(" logLevel=refused: " + folder.resolve("config"))
                .doesNotContain("canary");

        assertKnown(before);
    }

    /** As between the two writes of a rotation; the certificate is used once its key is there as well. */
    @Test
    void certificateThatDoesNotFitItsKey_isNotServed_andKeepsNoClientCaFromCounting() throws Exception {
        Operator after = Operator.named("after");
        name("tlsCertFile", after.serving().getCertificatePathPEM());
        name("clientCaFile", after.clients().getCertificatePEM());

        assertThat(reload())
                .isEqualTo("WARN Files were read again (SIGHUP) certificates=refused: tlsPrivateKeyFile: \""
                        + folder.resolve("tlsPrivateKeyFile")
                        + "\": is not the key of the certificate (expected that of the first one in"
                        + " tlsCertFile) clientCa=changed tokens=unchanged authentication=unchanged"
                        + " auditPolicy=unchanged logLevel=unchanged");
        assertThat(served()).isEqualTo(before.serving().getCertificate());
        assertThat(status(before.client(), "")).isEqualTo(401);
        assertThat(status(after.client(), "")).isEqualTo(200);

        name("tlsPrivateKeyFile", after.serving().getPrivateKeyPEM());
        assertThat(reload()).startsWith("INFO Files were read again (SIGHUP) certificates=changed clientCa=unchanged");
        assertThat(served()).isEqualTo(after.serving().getCertificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "canary", "-----BEGIN CERTIFICATE-----\nMIIB"})
    void clientCaFileWithoutACertificate_isRefused_andKeepsNoCertificateFromBeingServed(String text) throws Exception {
        Operator after = Operator.named("after");
        name("tlsCertFile", after.serving().getCertificatePathPEM());
        name("tlsPrivateKeyFile", after.serving().getPrivateKeyPEM());
        name("clientCaFile", text);

        assertThat(reload())
                .isEqualTo("WARN Files were read again (SIGHUP) certificates=changed clientCa=refused: clientCaFile: \""
                        + folder.resolve("clientCaFile") + "\": holds no certificates (expected PEM:"
                        + " -----BEGIN CERTIFICATE-----) tokens=unchanged"
                        + " authentication=unchanged auditPolicy=unchanged"
                        + " logLevel=unchanged");
        assertThat(status(before.client(), "")).isEqualTo(200);
        assertThat(served()).isEqualTo(after.serving().getCertificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tokenAuthFile", "clientCaFile", "tlsCertFile"})
    void fileThatIsGone_isRefusedForItself_andHoldsNothingElseUp(String key) throws Exception {
        write(before, "debug");
        Files.delete(folder.resolve(key));

        assertThat(reload())
                .startsWith("WARN Files were read again (SIGHUP) ")
                .containsOnlyOnce("refused: ")
                .contains("refused: " + key + ": ", folder.resolve(key) + "", " logLevel=changed");
        assertKnown(before);
    }

    private String reload() throws Exception {
        try (LogLines lines = new LogLines(Reloading.class)) {
            gateway.reload();
            TwoGateways.await("it was read again", () -> !lines.texts().isEmpty());
            return lines.texts().getFirst();
        }
    }

    private void assertKnown(Operator operator) throws Exception {
        assertThat(served()).isEqualTo(operator.serving().getCertificate());
        assertThat(status(null, operator.token())).isEqualTo(200);
        assertThat(status(operator.client(), "")).isEqualTo(200);
    }

    private void assertUnknown(Operator operator) throws Exception {
        assertThat(served()).isNotEqualTo(operator.serving().getCertificate());
        assertThat(status(null, operator.token())).isEqualTo(401);
        assertThat(status(operator.client(), "")).isEqualTo(401);
    }

    private Certificate served() throws Exception {
        return get(null, "").sslSession().orElseThrow().getPeerCertificates()[0];
    }

    private int status(@Nullable X509Bundle certificate, String token) throws Exception {
        return get(certificate, token).statusCode();
    }

    /** On a connection of its own. */
    private HttpResponse<String> get(@Nullable X509Bundle certificate, String token) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                certificate == null ? null : certificate.toKeyManagerFactory().getKeyManagers(),
                new TrustManager[] {new TwoGateways.TrustEveryone()},
                new SecureRandom());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/api"));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private void write(Operator operator, String logLevel) throws IOException {
        name("tlsCertFile", operator.serving().getCertificatePathPEM());
        name("tlsPrivateKeyFile", operator.serving().getPrivateKeyPEM());
        name("clientCaFile", operator.clients().getCertificatePEM());
        name("tokenAuthFile", operator.token() + ",ann,1,system:masters\n");
        configure("logLevel: " + logLevel);
    }

    private void configure(String key) throws IOException {
        Files.writeString(folder.resolve("config"), """
            apiVersion: config.fairlead.io/v1alpha1
            kind: FairleadConfiguration
            %s
            """.formatted(key));
    }

    private static boolean isDebugged(String logger) {
        return LoggerFactory.getLogger(logger).isDebugEnabled();
    }

    private void name(String key, String content) throws IOException {
        flags.put(key, Files.writeString(folder.resolve(key), content).toString());
    }

    private Configuration read(NamedFiles files) throws ConfigurationException {
        return ConfigurationReader.read(folder.resolve("config"), Map.of(), flags, files);
    }
}
