package io.fairlead.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.config.Configuration.LogLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationReaderTest {
    private static final String HEADER = "apiVersion: config.fairlead.io/v1alpha1\nkind: FairleadConfiguration\n";
    private static final Path EXAMPLE = Path.of("examples/fairlead.yaml");

    @TempDir
    private Path folder;

    @Test
    void read_nothingGiven_isTheDefaults() throws ConfigurationException {
        Map<String, Object> read = Values.of(ConfigurationReader.read(null, Map.of(), Map.of()));

        assertThat(read).containsOnlyKeys(paths(Key.ALL));
        assertThat(Key.ALL)
                .allSatisfy(key -> assertThat(read.get(key.path()))
                        .as(key.path())
                        .isEqualTo(Values.written(key, key.defaultText(), Path.of(""))));
    }

    @Test
    void read_everyKeyInTheFile_isMapped() throws Exception {
        Map<String, String> others = Values.others();
        for (Key key : Key.ALL) {
            Values.make(key, folder.resolve(others.getOrDefault(key.path(), "")));
        }

        Map<String, Object> read = Values.of(ConfigurationReader.read(file(Values.yaml(others)), Map.of(), Map.of()));

        assertThat(read).containsOnlyKeys(paths(Key.ALL));
        assertThat(Key.ALL)
                .allSatisfy(key -> assertThat(read.get(key.path()))
                        .as(key.path())
                        .isEqualTo(Values.written(key, others.getOrDefault(key.path(), ""), folder)));
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
    void read_levelsOfPackages_areAMappingInTheFile_andPairsAsAFlag() throws Exception {
        Path file = file("logLevels:\n  io.fairlead.config: debug\n  io.fairlead.config.Key: trace\n");

        assertThat(ConfigurationReader.read(file, Map.of(), Map.of())
                        .logLevels()
                        .byName())
                .isEqualTo(Map.of("io.fairlead.config", LogLevel.DEBUG, "io.fairlead.config.Key", LogLevel.TRACE));
        assertThat(ConfigurationReader.read(file, Map.of(), Map.of("logLevels", "io.fairlead=warn"))
                        .logLevels()
                        .byName())
                .isEqualTo(Map.of("io.fairlead", LogLevel.WARN));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {io.fairlead.config: loud}  | .io.fairlead.config: "loud" (expected error, warn, info, debug or trace)
        {io.fairlead.config: DEBUG} | .io.fairlead.config: "DEBUG" (expected error, warn, info, debug or trace)
        {io.fairlead.config: debug, io.fairlead.config: info} | .io.fairlead.config: "info" (expected one level for a name)
        io.fairlead.config | : "io.fairlead.config" (expected error, warn, info, debug or trace for names of packages or classes, such as io.fairlead.net=debug)
        """)
    void read_noLevelOfAPackage_isRefusedWithWhatIsExpected(String value, String problem) throws IOException {
        Path file = file("logLevels: " + value + "\n");

        assertThat(problems(file, Map.of())).containsExactly(file + ":3:12: logLevels" + problem);
    }

    @Test
    void read_levelsOfWhichSeveralAreWrong_haveAProblemEach() throws IOException {
        Path file = file("logLevels: {io.fairlead.x: debug, io.fairlead.config: loud, io.fairlead: info}\n");
        String loud = "logLevels.io.fairlead.config: \"loud\" (expected error, warn, info, debug or trace)";
        String unknown = "logLevels: \"io.fairlead.x\" (expected the name of a package or class of Fairlead, such as"
                + " io.fairlead.net)";

        assertThat(problems(file, Map.of())).containsExactly(file + ":3:12: " + loud, file + ":3:12: " + unknown);
        assertThat(problems(null, Map.of("logLevels", "io.fairlead.x=debug,io.fairlead.config=loud")))
                .containsExactly("--log-levels: " + loud, "--log-levels: " + unknown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.fairlead.conf", "io.fairlead.config.Keys", "io.netty", "io/fairlead/config", "root"})
    void read_levelOfWhatIsNoPackageOfFairlead_isRefusedByName(String name) throws IOException {
        Path file = file("logLevels: {" + name + ": debug}\n");

        assertThat(problems(file, Map.of()))
                .containsExactly(file + ":3:12: logLevels: \"" + name
                        + "\" (expected the name of a package or class of Fairlead, such as io.fairlead.net)");
    }

    @Test
    void read_mappingOfAnotherKey_isRefused() throws IOException {
        Path file = file("logLevel: {io.fairlead.config: debug}\nlogLevels: {io.fairlead.config: [debug]}\n");

        assertThat(problems(file, Map.of()))
                .containsExactly(
                        file + ":3:11: logLevel: expected a value, found a mapping",
                        file + ":4:33: logLevels: expected a name and a value");
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
        upstream.probeInterval | 99ms | --upstream-probe-interval: upstream.probeInterval: "PT0.099S" (expected at least 100ms)
        upstream.dnsRefresh | 999ms | --upstream-dns-refresh: upstream.dnsRefresh: "PT0.999S" (expected at least 1s)
        upstream.breakerFailures | 0 | --upstream-breaker-failures: upstream.breakerFailures: "0" (expected a positive number)
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
        Map<String, Object> example = Values.of(ConfigurationReader.read(EXAMPLE, Map.of(), Map.of()));
        Map<String, Object> defaults = Values.of(ConfigurationReader.read(null, Map.of(), Map.of()));

        assertThat(example.remove("dataDir")).isEqualTo(EXAMPLE.toAbsolutePath().resolveSibling("./fairlead-data"));
        assertThat(defaults.remove("dataDir")).isEqualTo(Path.of("./fairlead-data"));
        assertThat(example).isEqualTo(defaults);
    }

    @Test
    void exampleFile_hasEveryKeyWithAFixedDefault() {
        Map<String, Given> given = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        ConfigurationFile.read(EXAMPLE, given, problems);

        assertThat(problems).isEmpty();
        assertThat(given)
                .containsOnlyKeys(paths(Key.ALL.stream()
                        .filter(key -> !key.defaultText().isEmpty() || key.type() == List.class)
                        .toList()));
    }

    private static List<String> paths(List<Key> keys) {
        return keys.stream().map(Key::path).toList();
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
