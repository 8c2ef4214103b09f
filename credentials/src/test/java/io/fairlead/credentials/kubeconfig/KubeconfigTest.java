package io.fairlead.credentials.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    @TempDir
    private Path folder;

    @Test
    void set_besideOtherEntries_touchesNoneOfThem() throws Exception {
        Kubeconfig kubeconfig = Kubeconfig.parse("""
            apiVersion: v1
            kind: Config
            preferences: {colors: true}
            current-context: mine
            clusters:
            - name: mine
              cluster: {server: https://mine, extensions: [{name: x, extension: {a: 1}}]}
            contexts:
            - name: mine
              context: {cluster: mine, user: me, namespace: apps}
            users:
            - name: me
              user: {exec: {command: aws}}
            """, "k");

        kubeconfig.setCluster(
                "dev", Map.of("server", "https://localhost:6443/clusters/dev", "certificate-authority-data", "Y2E="));
        kubeconfig.setContext("dev", "dev", "fairlead-admin");
        kubeconfig.setUser("fairlead-admin", "certificate", "key");

        Kubeconfig read = Kubeconfig.parse(kubeconfig.text(), "k");
        assertThat(read.currentContext()).isEqualTo("mine");
        assertThat(read.names("clusters")).containsExactly("mine", "dev");
        assertThat(read.text())
                .contains("colors: true", "command: aws", "namespace: apps", "a: 1")
                .contains("certificate-authority-data: Y2E=", "client-key-data: a2V5");
    }

    @Test
    void set_sameNameTwice_replaces() throws Exception {
        Kubeconfig kubeconfig = Kubeconfig.empty();
        kubeconfig.setContext("dev", "a", "u");
        kubeconfig.setContext("dev", "b", "u");

        assertThat(kubeconfig.contexts()).containsExactly("dev");
        assertThat(kubeconfig.text()).contains("cluster: b").doesNotContain("cluster: a");
    }

    @Test
    void write_file_isReadableByItsOwnerAlone() throws Exception {
        Path file = folder.resolve("config");
        Files.writeString(file, "old");

        Kubeconfig.empty().write(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void read_noYaml_isRefusedWithoutItsText() throws Exception {
        Path file = folder.resolve("config");
        Files.writeString(file, "kind: Config\ntoken: {secret-canary");

        assertThatThrownBy(() -> Kubeconfig.read(file))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage(file + ": is not YAML, in line 2 (expected a kubeconfig)");
    }

    @Test
    void parse_boundlessNesting_isRefused() {
        assertThatThrownBy(() -> Kubeconfig.parse("[".repeat(1_000_000), "k"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("k: is nested too deeply (expected a kubeconfig)");
    }

    @Test
    void read_missingFile_isNamed() {
        assertThatThrownBy(() -> Kubeconfig.read(folder.resolve("absent")))
                .hasMessage(folder.resolve("absent") + ": there is no such file (expected a kubeconfig)");
    }
}
