package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of somebody's kubeconfig when clusters are merged into it. */
class FleetEntriesTest {
    private static final URI ORIGIN = URI.create("https://localhost:6443");
    private static final String FOREIGN = """
        # written by hand
        apiVersion: v1
        kind: Config
        preferences: {colors: yes}
        current-context: mine   # the usual one
        clusters:
        - name: mine
          cluster: {server: "https://mine", insecure-skip-tls-verify: no}
        contexts:
        # at home
        - name: mine
          context: {cluster: mine, user: fairlead-admin, namespace: 0123}
        users:
        - name: fairlead-admin
          user: {exec: {command: aws, args: ["yes", 1e3]}}
        """;

    @Test
    void merge_besideForeignEntries_keepsTheirVerySpelling() throws Exception {
        String merged = entries("dev").mergedInto(FOREIGN, "k");

        assertThat(merged)
                .contains(
                        "# written by hand",
                        "colors: yes",
                        "# the usual one",
                        "server: \"https://mine\"",
                        "insecure-skip-tls-verify: no",
                        "# at home",
                        "namespace: 0123",
                        "[\"yes\", 1e3]");
        Kubeconfig read = Kubeconfig.parse(merged, "k");
        assertThat(read.currentContext()).isEqualTo("mine");
        assertThat(read.contexts()).containsExactly("mine", "dev");
        assertThat(read.entry("users", "user", "fairlead-admin").orElseThrow()).containsKey("exec");
    }

    @Test
    void merge_userOfTheSameNameElsewhere_takesAnotherName() throws Exception {
        Kubeconfig read = Kubeconfig.parse(entries("dev").mergedInto(FOREIGN, "k"), "k");

        assertThat(read.names("users")).containsExactly("fairlead-admin", "fairlead-admin@localhost:6443");
        assertThat(read.entry("contexts", "context", "dev").orElseThrow())
                .containsEntry("user", "fairlead-admin@localhost:6443");
    }

    @Test
    void merge_contextOfTheSameNameElsewhere_isRefused() {
        assertThatThrownBy(() -> entries("dev", "mine").mergedInto(FOREIGN, "k"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("context \"mine\" exists and leads elsewhere");
    }

    /** Who goes on typing the context's name must not become another user, nor ask another cluster. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        user: fairlead-admin                    | user: ann             | context "dev" exists and is of user "ann" (expected "fairlead-admin")
        https://localhost:6443/clusters/dev     | https://localhost:6443            | context "dev" exists and leads elsewhere
        https://localhost:6443/clusters/dev     | https://localhost:6443/clusters/other | context "dev" exists and leads elsewhere
        """)
    void merge_contextOfAnotherUserOrCluster_isRefused(String own, String other, String problem) throws Exception {
        String before = entries("dev").mergedInto("", "k").replace(own, other);

        assertThatThrownBy(() -> entries("dev").mergedInto(before, "k"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("nothing was changed");
    }

    @Test
    void merge_contextOfTheClustersHost_isReplaced() throws Exception {
        String before = entries("dev")
                .mergedInto("", "k")
                .replace("https://localhost:6443/clusters/dev", "https://dev.fleet.example.com:6443");

        assertThat(entries("dev").mergedInto(before, "k")).contains("server: https://localhost:6443/clusters/dev");
    }

    @Test
    void merge_twice_changesNothingMore() throws Exception {
        String once = entries("dev", "root").mergedInto(FOREIGN, "k");

        assertThat(entries("dev", "root").mergedInto(once, "k")).isEqualTo(once);
        assertThat(Kubeconfig.parse(once, "k").names("users")).hasSize(2);
    }

    @Test
    void merge_portChanged_replacesOwnEntriesAndKeepsTheirNamespace() throws Exception {
        String before = entries(URI.create("https://localhost:1111"), "dev")
                .mergedInto("", "k")
                .replace("cluster: dev\n", "cluster: dev\n    namespace: harbour\n");

        Kubeconfig read = Kubeconfig.parse(entries("dev").mergedInto(before, "k"), "k");

        assertThat(read.names("clusters")).containsExactly("dev");
        assertThat(read.names("users")).containsExactly("fairlead-admin");
        assertThat(read.entry("clusters", "cluster", "dev").orElseThrow())
                .containsEntry("server", "https://localhost:6443/clusters/dev");
        assertThat(read.entry("contexts", "context", "dev").orElseThrow()).containsEntry("namespace", "harbour");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "apiVersion: v1\nkind: Config\n",
                "clusters: null\ncontexts: []\nusers: []\n",
                "apiVersion: \"\"\nkind: null\n",
                "a: 1\n",
                "# mine\n",
                "---\n",
                "---\n# mine\n",
                "null\n",
                "kind: Config\n---\n",
                "kind: Config\n...\n---\n---\n"
            })
    void merge_intoAnEmptyFile_makesTheFirstContextCurrent(String empty) throws Exception {
        Kubeconfig read = Kubeconfig.parse(entries("dev", "root").mergedInto(empty, "k"), "k");

        assertThat(read.contexts()).containsExactly("dev", "root");
        assertThat(read.names("users")).containsExactly("fairlead-admin");
        assertThat(read.currentContext()).isEqualTo("dev");
    }

    @Test
    void merge_intoCommentsAlone_keepsThem() throws Exception {
        assertThat(entries("dev").mergedInto("# mine\n---\n  # of all days\n", "k"))
                .startsWith("# mine\n  # of all days\napiVersion: v1\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        kind: Pod                       | k: kind "Pod" (expected Config)
        {apiVersion: v2, kind: Config}  | k: apiVersion "v2" (expected v1)
        {apiVersion: v1, kind: [Config]} | k: kind "[Config]" (expected Config)
        """)
    void merge_intoAnotherKind_isRefusedByName(String other, String problem) {
        assertThatThrownBy(() -> entries("dev").mergedInto(other, "k"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage(problem);
    }

    @Test
    void merge_intoSeveralDocuments_isRefused() {
        assertThatThrownBy(() -> entries("dev").mergedInto("kind: Config\n---\nkind: Config\n", "k"))
                .hasMessage("k: holds several YAML documents (expected a kubeconfig)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clusters: [", "- a", "clusters: {a: b}", "a: 1\na: 2\n", "%", "a: *nowhere"})
    void merge_intoWhatIsNoKubeconfig_isRefused(String broken) {
        assertThatThrownBy(() -> entries("dev").mergedInto(broken, "broken.yaml"))
                .hasMessageStartingWith("broken.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "on", "y", "123", "1e3", "0x1f", "0-1"})
    void id_thatYamlTakesForSomethingElse_isQuoted(String id) throws Exception {
        String alone = entries(id).alone().text();

        if (!id.equals("0-1")) {
            assertThat(alone).contains("name: \"" + id + "\"");
        }
        assertThat(Kubeconfig.parse(alone, "k").contexts()).isEqualTo(List.of(id));
        assertThat(entries(id).mergedInto(FOREIGN, "k")).contains("server: https://localhost:6443/clusters/" + id);
    }

    private static FleetEntries entries(String... ids) {
        return entries(ORIGIN, ids);
    }

    private static FleetEntries entries(URI origin, String... ids) {
        Map<String, String> servers = new LinkedHashMap<>();
        for (String id : ids) {
            servers.put(id, origin + "/clusters/" + id);
        }
        return new FleetEntries(
                origin,
                Map.of("certificate-authority-data", "Y2E="),
                "fairlead-admin",
                Map.of("client-key-data", "a2V5"),
                servers);
    }
}
