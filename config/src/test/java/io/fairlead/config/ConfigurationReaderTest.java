package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReaderTest {
    private static final String HEADER = "apiVersion: config.fairlead.io/v1alpha1\nkind: FairleadConfiguration\n";

    @TempDir
    private Path folder;

    @Test
    void read_nothingGiven_isTheDefaults() throws ConfigurationException {
        Configuration defaults = ConfigurationReader.read(null, Map.of(), Map.of());

        assertThat(defaults)
                .isEqualTo(new Configuration(
                        Path.of("./fairlead-data"),
                        "127.0.0.1",
                        6443,
                        "127.0.0.1:9464",
                        false,
                        null,
                        null,
                        null,
                        null,
                        Configuration.Storage.EMBEDDED,
                        null,
                        "localhost",
                        null,
                        Configuration.LogFormat.AUTO,
                        0,
                        Configuration.LogLevel.INFO,
                        new Configuration.Selection(List.of("X-Kubernetes-Cluster", "X-Cluster"), "root"),
                        new Configuration.Shutdown(Duration.ofSeconds(5), Duration.ofSeconds(30)),
                        new Configuration.Upstreams(
                                null,
                                List.of(),
                                List.of(),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(70),
                                Duration.ofSeconds(55),
                                Duration.ofSeconds(30),
                                128,
                                10_000,
                                100,
                                1_000,
                                null,
                                null),
                        new AttachedClusterSettings(
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(30),
                                Duration.ofMinutes(5),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(30),
                                100,
                                null),
                        new HostedClusterSettings(
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(30),
                                Duration.ofSeconds(3),
                                Duration.ofMinutes(5),
                                Duration.ofHours(1)),
                        new StoreSettings(
                                new ByteSize(64 * 1024 * 1024),
                                Duration.ofSeconds(5),
                                8_192,
                                new ByteSize(16 * 1024 * 1024),
                                new ByteSize(32 * 1024 * 1024),
                                new ByteSize(64 * 1024 * 1024)),
                        new Configuration.Index(
                                Duration.ofSeconds(2), Duration.ofMinutes(5), 1_000, 1_000, 256, 8_192, 20_000),
                        new Configuration.Types(Duration.ofMinutes(2)),
                        new Configuration.Limits(
                                20_000,
                                2_000,
                                null,
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(3),
                                Duration.ofSeconds(10),
                                new ByteSize(8 * 1024),
                                new ByteSize(64 * 1024),
                                200,
                                null,
                                250,
                                Duration.ofSeconds(30),
                                200,
                                1_000,
                                10,
                                16,
                                new ByteSize(3 * 1024 * 1024),
                                null,
                                null,
                                null,
                                2,
                                new ByteSize(4 * 1024 * 1024),
                                1_024,
                                new ByteSize(4 * 1024 * 1024),
                                1_024,
                                null,
                                null,
                                new ByteSize(100 * 1024 * 1024),
                                new ByteSize(1024),
                                Duration.ofSeconds(30),
                                null,
                                null,
                                null,
                                new ByteSize(64 * 1024),
                                Duration.ofSeconds(60),
                                20,
                                2_000,
                                400,
                                200,
                                20_000,
                                1_000,
                                100,
                                25,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10),
                                1_000,
                                null,
                                null,
                                new ByteSize(8 * 1024 * 1024))));
    }

    @Test
    void read_everyKeyInTheFile_isMapped() throws Exception {
        Path file = file("""
            dataDir: data
            bindAddress: 0.0.0.0
            securePort: 8443
            metricsAddress: 0.0.0.0:1
            metricsAllowRemote: true
            tlsCertFile: a.crt
            tlsPrivateKeyFile: ./a.key
            clientCaFile: ca.crt
            tokenAuthFile: tokens.csv
            storage: embedded
            clustersDir: clusters
            advertiseHost: fairlead.example.com
            baseDomain: k8s.example.com
            logFormat: json
            logRefusedPerSecondMax: 63
            logLevel: debug
            selection: {headers: [X-Where], defaultCluster: main}
            shutdown: {delay: 0s, drainTimeout: 1m30s}
            upstream: {allowLoopback: true, allowedAddresses: [10.0.0.0/8], deniedAddresses: ["10.1.0.0/16"],
              connectTimeout: 1s, tlsTimeout: 2s, firstByteTimeout: 3s, idleTimeout: 4s, pingInterval: 5s,
              shortConnectionsMax: 6, longRunningConnectionsMax: 7, streamsMax: 8, waitingMax: 9, connectionsMax: 53,
              connectionsPerClusterMax: 54}
            attached: {probeInterval: 64s, probeTimeout: 65s, lostAfter: 66s, listTimeout: 67s, pageTimeout: 68s,
              retryMax: 69s, pageObjectsMax: 70, listsAtOnceMax: 71}
            hosted: {bookmarkInterval: 72s, watchTimeoutMin: 73s, futureRevisionWait: 74s, compactionInterval: 75s,
              eventLifetime: 76s}
            store: {commitQueueBytesMax: 77Mi, commitWait: 78s, recentChangesMax: 79, recentBytesMax: 80,
              blockCacheBytes: 81Mi, diskReserveBytes: 82}
            index: {unknownWait: 300ms, auditInterval: 1h, unknownWaitersMax: 10, unknownWaitersPerClusterMax: 83,
              versionsPerDefinitionMax: 84, resourcesPerDefinitionMax: 85, definitionsPerClusterMax: 86}
            types: {maxStaleness: 30s}
            limits: {connectionsMax: 11, connectionsPerAddressMax: 12, connectionsPerCallerMax: 52, handshakeTimeout: 13s, headTimeout: 14s,
              targetBytesMax: 15, headBytesMax: 16Ki, headerFieldsMax: 17, unparsedBytesMax: 45Mi, streamsMax: 18, hostedBodyBytesMax: 19Mi,
              proxiedBodyBytesMax: 20Gi, failedAuthenticationsPerSecondMax: 21, connectionIdleTimeout: 22s,
              floodWindow: 23s, streamResetsMax: 24, controlFramesMax: 25, emptyFramesMax: 26, continuationsMax: 27,
              bodyBytesPerSecondMin: 28, bodyPaceWindow: 29s, bufferedBytesMax: 42Mi,
              bufferedBytesPerClusterMax: 43Mi, bufferedBytesPerCallerMax: 44Mi, answerQueueBytesMax: 30Ki,
              stalledReaderTimeout: 31s,
              shortCallsMax: 32, shortCallsPerClusterMax: 33, shortCallsPerCallerMax: 46,
              watchesPerClusterMax: 34, upgradesPerClusterMax: 35,
              hostedBytesMax: 36Mi, hostedBytesPerClusterMax: 37Mi, hostedBytesPerCallerMax: 38Mi,
              hostedPagesPerClusterMax: 39, watchHistoryBytesPerResourceMax: 40Ki, watchBufferBytesMax: 41Ki,
              watchHistoryEventsPerResourceMax: 87, watchBufferEventsMax: 88, clusterFilesMax: 91,
              accessReviewTimeout: 89s, accessReviewLifetime: 90s,
              hostedDefinitionBytesMax: 61Mi, hostedDefinitionBytesPerClusterMax: 62Mi,
              accessReviewsPerClusterMax: 47, accessReviewsPerCallerMax: 48,
              definitionPageBytesMax: 49Mi, definitionListBytesMax: 50Mi, definitionEventBytesMax: 51Mi}
            """);

        for (String named : List.of("a.crt", "a.key", "ca.crt", "tokens.csv")) {
            Files.writeString(folder.resolve(named), "");
        }
        Files.createDirectory(folder.resolve("clusters"));

        Configuration read = ConfigurationReader.read(file, Map.of(), Map.of());

        assertThat(read)
                .isEqualTo(new Configuration(
                        folder.resolve("data"),
                        "0.0.0.0",
                        8443,
                        "0.0.0.0:1",
                        true,
                        folder.resolve("a.crt"),
                        folder.resolve("./a.key"),
                        folder.resolve("ca.crt"),
                        folder.resolve("tokens.csv"),
                        Configuration.Storage.EMBEDDED,
                        folder.resolve("clusters"),
                        "fairlead.example.com",
                        "k8s.example.com",
                        Configuration.LogFormat.JSON,
                        63,
                        Configuration.LogLevel.DEBUG,
                        new Configuration.Selection(List.of("X-Where"), "main"),
                        new Configuration.Shutdown(Duration.ZERO, Duration.ofSeconds(90)),
                        new Configuration.Upstreams(
                                true,
                                List.of("10.0.0.0/8"),
                                List.of("10.1.0.0/16"),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(5),
                                6,
                                7,
                                8,
                                9,
                                53,
                                54),
                        new AttachedClusterSettings(
                                Duration.ofSeconds(64),
                                Duration.ofSeconds(65),
                                Duration.ofSeconds(66),
                                Duration.ofSeconds(67),
                                Duration.ofSeconds(68),
                                Duration.ofSeconds(69),
                                70,
                                71),
                        new HostedClusterSettings(
                                Duration.ofSeconds(72),
                                Duration.ofSeconds(73),
                                Duration.ofSeconds(74),
                                Duration.ofSeconds(75),
                                Duration.ofSeconds(76)),
                        new StoreSettings(
                                new ByteSize(77 * 1024 * 1024),
                                Duration.ofSeconds(78),
                                79,
                                new ByteSize(80),
                                new ByteSize(81 * 1024 * 1024),
                                new ByteSize(82)),
                        new Configuration.Index(Duration.ofMillis(300), Duration.ofHours(1), 10, 83, 84, 85, 86),
                        new Configuration.Types(Duration.ofSeconds(30)),
                        new Configuration.Limits(
                                11,
                                12,
                                52,
                                Duration.ofSeconds(13),
                                Duration.ofSeconds(22),
                                Duration.ofSeconds(14),
                                new ByteSize(15),
                                new ByteSize(16 * 1024),
                                17,
                                new ByteSize(45 * 1024 * 1024),
                                18,
                                Duration.ofSeconds(23),
                                24,
                                25,
                                26,
                                27,
                                new ByteSize(19 * 1024 * 1024),
                                new ByteSize(36 * 1024 * 1024),
                                new ByteSize(37 * 1024 * 1024),
                                new ByteSize(38 * 1024 * 1024),
                                39,
                                new ByteSize(40 * 1024),
                                87,
                                new ByteSize(41 * 1024),
                                88,
                                new ByteSize(61 * 1024 * 1024),
                                new ByteSize(62 * 1024 * 1024),
                                new ByteSize(20L * 1024 * 1024 * 1024),
                                new ByteSize(28),
                                Duration.ofSeconds(29),
                                new ByteSize(42 * 1024 * 1024),
                                new ByteSize(43 * 1024 * 1024),
                                new ByteSize(44 * 1024 * 1024),
                                new ByteSize(30 * 1024),
                                Duration.ofSeconds(31),
                                21,
                                32,
                                33,
                                46,
                                34,
                                35,
                                47,
                                48,
                                Duration.ofSeconds(89),
                                Duration.ofSeconds(90),
                                91,
                                new ByteSize(49 * 1024 * 1024),
                                new ByteSize(50 * 1024 * 1024),
                                new ByteSize(51 * 1024 * 1024))));
    }

    @Test
    void read_flagVariableAndFile_flagWinsThenVariable() throws Exception {
        Path file = file("securePort: 1\nbindAddress: 127.0.0.2\nadvertiseHost: file\n");

        Configuration read = ConfigurationReader.read(
                file,
                Map.of("FAIRLEAD_SECURE_PORT", "2", "FAIRLEAD_BIND_ADDRESS", "127.0.0.3", "FAIRLEAD_OTHER", "x"),
                Map.of("securePort", "3"));

        assertThat(read.securePort()).isEqualTo(3);
        assertThat(read.bindAddress()).isEqualTo("127.0.0.3");
        assertThat(read.advertiseHost()).isEqualTo("file");
    }

    @Test
    void read_unknownKey_namesLineColumnAndTheNearestKey() throws IOException {
        Path file = file("securePorts: 1\nshutdown:\n  delai: 3s\n");

        assertThat(problems(file, Map.of()))
                .containsExactly(
                        file + ":3:1: unknown key \"securePorts\" (nearest known key: securePort)",
                        file + ":5:3: unknown key \"shutdown.delai\" (nearest known key: shutdown.delay)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limits: {foo: 1}", "log: 1", "users: []", "contexts: []", "current-context: a"})
    void read_keyThatNoKnownOneResembles_namesNoOther(String line) throws IOException {
        assertThat(problems(file(line + "\n"), Map.of()))
                .singleElement()
                .asString()
                .endsWith("('fairlead config reference' lists the keys)");
    }

    @Test
    void read_problems_areInTheOrderOfLines() throws IOException {
        Path file = file("logLevel: loud\nsecurePort: many\nfoo: 1\nshutdown:\n  delay: x\n");

        assertThat(problems(file, Map.of()))
                .hasSize(4)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith(file + ":3:"),
                        second -> assertThat(second).startsWith(file + ":4:"),
                        third -> assertThat(third).startsWith(file + ":5:"),
                        fourth -> assertThat(fourth).startsWith(file + ":7:"));
    }

    @Test
    void read_keyInTheWrongSection_namesWhereItBelongs() throws IOException {
        assertThat(problems(file("unknownWait: 3s\n"), Map.of()))
                .singleElement()
                .asString()
                .endsWith("(nearest known key: index.unknownWait)");
    }

    @Test
    void read_keyTwice_isRefused() throws IOException {
        assertThat(problems(file("securePort: 1\nsecurePort: 2\n"), Map.of()))
                .singleElement()
                .asString()
                .contains(":4:1: key \"securePort\" is given twice");
    }

    @Test
    void read_noHeader_isRefused() throws IOException {
        Path file = folder.resolve("fairlead.yaml");
        Files.writeString(file, "securePort: 1\n");

        assertThat(problems(file, Map.of()))
                .containsExactly(
                        file + ":1:1: apiVersion is missing (expected config.fairlead.io/v1alpha1)",
                        file + ":1:1: kind is missing (expected FairleadConfiguration)");
    }

    @Test
    void read_anotherHeader_isNamedBesideWhatIsExpected() throws IOException {
        Path file = folder.resolve("fairlead.yaml");
        Files.writeString(file, "apiVersion: v1\nkind: {}\n");

        assertThat(problems(file, Map.of()))
                .containsExactly(
                        file + ":1:13: apiVersion: \"v1\" (expected config.fairlead.io/v1alpha1)",
                        file + ":2:7: kind: expected FairleadConfiguration");
    }

    @Test
    void read_listForASingleValue_isRefused() throws IOException {
        Path file = file("bindAddress: [127.0.0.1]\nsecurePort:\n- 1\n");

        assertThat(problems(file, Map.of()))
                .containsExactlyInAnyOrder(
                        file + ":3:14: bindAddress: expected a single value, found a list",
                        file + ":5:1: securePort: expected a single value, found a list");
    }

    @Test
    void read_boundlessNesting_isOneProblem() throws IOException {
        Path file = Files.writeString(folder.resolve("fairlead.yaml"), "[".repeat(200_000));

        assertThat(problems(file, Map.of())).containsExactly(file + ": nested too deeply");
    }

    @Test
    void read_notYaml_namesLineAndColumn() throws IOException {
        Path file = file("selection: [\n");

        assertThat(problems(file, Map.of())).singleElement().asString().startsWith(file + ":4:1: not YAML");
    }

    @Test
    void read_missingFile_isNamed() {
        Path file = folder.resolve("absent.yaml");

        assertThat(problems(file, Map.of())).containsExactly(file + ": cannot be read (there is no such file)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        securePort | 65536 | --secure-port: securePort: "65536" (expected a port from 0 to 65535)
        securePort | x | --secure-port: securePort: "x" (expected an integer)
        metricsAddress | 0.0.0.0:1 | --metrics-address: metricsAddress: "0.0.0.0:1" (expected a loopback address; any other needs metricsAllowRemote: true, since it is plain HTTP)
        metricsAddress | nowhere | --metrics-address: metricsAddress: "nowhere" (expected host:port, or off)
        selection.headers | Authorization | --selection-headers: selection.headers: "Authorization" (expected the name of a header that has no other use)
        selection.defaultCluster | Root | --selection-default-cluster: selection.defaultCluster: "Root" (expected none, or a cluster id: a DNS-1123 label)
        limits.hostedBodyBytesMax | 2Gi | --limits-hosted-body-bytes-max: limits.hostedBodyBytesMax: "2Gi" (expected at most 1Gi)
        limits.floodWindow | 0s | --limits-flood-window: limits.floodWindow: "PT0S" (expected a positive duration)
        upstream.allowedAddresses | 10.0.0.0/33 | --upstream-allowed-addresses: upstream.allowedAddresses: "10.0.0.0/33" (expected an address block such as 10.0.0.0/8)
        shutdown.delay | 5 | --shutdown-delay: shutdown.delay: "5" (expected a duration such as 300ms, 5s or 1m30s)
        logRefusedPerSecondMax | -1 | --log-refused-per-second-max: logRefusedPerSecondMax: "-1" (expected 0 or more)
        logFormat | xml | --log-format: logFormat: "xml" (expected auto or text or json)
        """)
    void read_invalidValue_namesFlagValueAndWhatIsExpected(String key, String value, String problem) {
        assertThat(problems(null, Map.of(key, value))).containsExactly(problem);
    }

    @Test
    void read_certificateWithoutItsKey_isRefused() throws IOException {
        String certificate = Files.writeString(folder.resolve("a.crt"), "").toString();

        assertThat(problems(null, Map.of("tlsCertFile", certificate)))
                .containsExactly(
                        "--tls-cert-file: tlsCertFile: \"" + certificate + "\" (expected tlsPrivateKeyFile beside it)");
    }

    @Test
    void read_filesThatCannotBeRead_areNamedWithTheKeysAndAllOtherProblems() throws IOException {
        Path file = file("""
            securePort: many
            clientCaFile: ca.crt
            tokenAuthFile: .
            clustersDir: fairlead.yaml
            baseDomain: UPPER
            """);

        assertThat(problems(file, Map.of("bindAddress", "nowhere")))
                .containsExactlyInAnyOrder(
                        file + ":3:13: securePort: \"many\" (expected an integer)",
                        file + ":4:15: clientCaFile: \"" + folder.resolve("ca.crt")
                                + "\" cannot be read (there is no such file)",
                        file + ":5:16: tokenAuthFile: \"" + folder.resolve(".") + "\" cannot be read (it is a folder)",
                        file + ":6:14: clustersDir: \"" + file + "\" cannot be read (it is not a folder)",
                        file + ":7:13: baseDomain: \"UPPER\" (expected a domain in lower case)",
                        "--bind-address: bindAddress: \"nowhere\" (expected an IP address)");
    }

    @Test
    void problem_inAFlagsValue_isWrongUsage_inAFileIsNot() throws IOException {
        ConfigurationException invalid = catchThrowableOfType(
                ConfigurationException.class,
                () -> ConfigurationReader.read(
                        file("baseDomain: UPPER\n"),
                        Map.of("FAIRLEAD_SECURE_PORT", "many"),
                        Map.of("bindAddress", "nowhere", "clientCaFile", "absent")));

        assertThat(invalid.problems())
                .filteredOn(Problem::isWrongUsage)
                .extracting(Problem::where)
                .containsExactly("--bind-address");
        assertThat(invalid.problems()).hasSize(4);
    }

    @Test
    void read_boundElsewhere_refusesLoopbackUpstreamsUnlessAllowed() throws ConfigurationException {
        assertThat(ConfigurationReader.read(null, Map.of(), Map.of()).allowsLoopbackUpstreams())
                .isTrue();
        assertThat(ConfigurationReader.read(null, Map.of(), Map.of("bindAddress", "0.0.0.0"))
                        .allowsLoopbackUpstreams())
                .isFalse();
        assertThat(ConfigurationReader.read(
                                null, Map.of(), Map.of("bindAddress", "0.0.0.0", "upstream.allowLoopback", "true"))
                        .allowsLoopbackUpstreams())
                .isTrue();
    }

    @Test
    void exampleFile_isValidAndSaysTheDefaults() throws ConfigurationException {
        Configuration example = ConfigurationReader.read(Path.of("examples/fairlead.yaml"), Map.of(), Map.of());
        Configuration defaults = ConfigurationReader.read(null, Map.of(), Map.of());

        assertThat(example.shutdown()).isEqualTo(defaults.shutdown());
        assertThat(example.selection()).isEqualTo(defaults.selection());
        assertThat(example.upstream()).isEqualTo(defaults.upstream());
        assertThat(example.index()).isEqualTo(defaults.index());
        assertThat(example.types()).isEqualTo(defaults.types());
        assertThat(example.limits()).isEqualTo(defaults.limits());
        assertThat(example.securePort()).isEqualTo(defaults.securePort());
        assertThat(example.metricsAddress()).isEqualTo(defaults.metricsAddress());
    }

    private Path file(String body) throws IOException {
        Path file = folder.resolve("fairlead.yaml");
        Files.writeString(file, HEADER + body);
        return file;
    }

    private static List<String> problems(@org.jspecify.annotations.Nullable Path file, Map<String, String> flags) {
        ConfigurationException invalid = catchThrowableOfType(
                ConfigurationException.class, () -> ConfigurationReader.read(file, Map.of(), flags));
        return invalid.problems().stream().map(Problem::toString).toList();
    }
}
