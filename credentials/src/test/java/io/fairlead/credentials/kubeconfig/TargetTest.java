package io.fairlead.credentials.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
    @TempDir
    private Path folder;

    @Test
    void of_inlinedContext_isRead() throws Exception {
        Target target = target("certificate-authority-data: Y2E=\n    tls-server-name: kube", "token: abc");

        assertThat(target.server()).hasToString("https://10.1.2.3:6443");
        assertThat(target.caCertificates()).isEqualTo("ca");
        assertThat(target.tlsServerName()).isEqualTo("kube");
        assertThat(target.token()).isEqualTo("abc");
        assertThat(target.toString()).doesNotContain("abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing", "{apiVersion: v1, kind: Config, contexts: []}"})
    void of_kubeconfigWithoutContexts_saysSo(String text) throws Exception {
        Kubeconfig empty = Kubeconfig.parse(text, "k");

        assertThatThrownBy(() -> Target.of(empty, null, folder))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage(
                        "k: there is no current context, nor any other (expected a kubeconfig with clusters, users and"
                                + " contexts)");
        assertThatThrownBy(() -> Target.of(empty, "prod", folder))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage(
                        "k: context \"prod\" does not exist, nor any other (expected a kubeconfig with clusters, users"
                                + " and contexts)");
    }

    @Test
    void of_filesBesideIt_areInlined() throws Exception {
        Files.writeString(folder.resolve("ca.crt"), "ca");
        Files.writeString(folder.resolve("token"), "abc\n");

        Target target = target("certificate-authority: ca.crt", "tokenFile: token");

        assertThat(target.caCertificates()).isEqualTo("ca");
        assertThat(target.token()).isEqualTo("abc");
    }

    @Test
    void of_filesWhereNoneAreAccepted_namesTheField() {
        assertThatThrownBy(() -> Target.of(parse("certificate-authority: ca.crt", "token: abc"), null, null))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("k: field \"certificate-authority\" names a file (expected"
                        + " \"certificate-authority-data\" or a token)");
    }

    @ParameterizedTest
    @CsvSource({
        "'certificate-authority-data: Y2E=', 'token: abc\\n    tokenFile: /etc/passwd', tokenFile",
        "'certificate-authority-data: Y2E=', 'token: abc\\n    impersonate-canary: root', impersonate-canary",
        "'certificate-authority-data: Y2E=\\n"
                + "    certificate-authority: /etc/passwd', 'token: abc', certificate-authority",
        "'disable-compression: true', 'token: abc', disable-compression"
    })
    void of_whereEverythingMustBeInlined_namesAnyOtherField(String clusterField, String userField, String name) {
        assertThatThrownBy(() ->
                        Target.of(parse(clusterField.replace("\\n", "\n"), userField.replace("\\n", "\n")), null, null))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("field \"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec: {command: steal-canary}",
                "auth-provider: {name: gcp}",
                "username: canary",
                "password: canary",
                "as: root"
            })
    void of_userFieldThatIsNotAccepted_isNamedWithoutItsValue(String field) {
        String name = field.substring(0, field.indexOf(':'));

        assertThatThrownBy(() -> target("certificate-authority-data: Y2E=", field))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("user field \"" + name + "\" is not accepted")
                .hasMessageNotContaining("canary");
    }

    @ParameterizedTest
    @ValueSource(strings = "insecure-skip-tls-verify: true")
    void of_clusterFieldThatIsNotAccepted_isNamed(String field) {
        String name = field.substring(0, field.indexOf(':'));

        assertThatThrownBy(() -> target(field, "token: abc"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessageContaining("cluster field \"" + name + "\" is not accepted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://proxy.example:3128", "https://proxy.example", "http://[fd00::1]:3128/"})
    void of_proxy_isReadOfAFileAlone(String url) throws Exception {
        assertThat(target("proxy-url: '" + url + "'", "token: abc").proxy()).isEqualTo(URI.create(url));
        assertThatThrownBy(() -> Target.of(parse("proxy-url: '" + url + "'", "token: abc"), null, null))
                .hasMessage(
                        "k: cluster field \"proxy-url\" is not accepted (expected spec.attached.proxyUrl of the Cluster"
                                + " instead)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socks5://canary:1080",
                "http://user:canary@proxy",
                "http://",
                "canary:3128",
                "http://canary:0",
                "http://canary:65536",
                "http://canary/path",
                "http://canary?x"
            })
    void of_proxyThatCannotBeUsed_isRefusedWithoutIt(String url) {
        assertThatThrownBy(() -> target("proxy-url: '" + url + "'", "token: abc"))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage(
                        "k: cluster field \"proxy-url\" (expected http://host[:port] or https://host[:port], without"
                                + " user and password)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"canary\\n\"", "\"can\\tary\"", "canary\u00e9", "can ary"})
    void of_tokenThatNoHeaderCanHold_isRefusedWithoutIt(String token) {
        assertThatThrownBy(() -> target("certificate-authority-data: Y2E=", "token: " + token))
                .isInstanceOf(KubeconfigException.class)
                .hasMessage("k: user field \"token\" is not a bearer token (expected visible ASCII characters alone)");
    }

    @Test
    void of_tokenFileOfSeveralLines_isRefusedWithoutThem() throws Exception {
        Files.writeString(folder.resolve("token"), "canary\nabc\n");

        assertThatThrownBy(() -> target("certificate-authority-data: Y2E=", "tokenFile: token"))
                .hasMessage(
                        "k: user field \"tokenFile\" is not a bearer token (expected visible ASCII characters alone)");
    }

    @Test
    void of_unknownContext_namesTheKnownOnes() {
        assertThatThrownBy(() -> Target.of(parse("tls-server-name: x", "token: abc"), "other", null))
                .hasMessage("k: context \"other\" does not exist (expected one of: c)");
    }

    @Test
    void of_noCurrentContext_saysSo() {
        assertThatThrownBy(() -> Target.of(Kubeconfig.parse("apiVersion: v1\nkind: Config\n", "k"), null, null))
                .hasMessageStartingWith("k: there is no current context");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://10.1.2.3", "10.1.2.3:6443", "https://user:pw@10.1.2.3", "https://a b"})
    void of_serverThatIsNoHttpsUrl_isRefused(String server) {
        String text = "clusters: [{name: c, cluster: {server: \"" + server + "\"}}]\n"
                + "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
                + "users: [{name: u, user: {token: abc}}]\ncurrent-context: c\n";

        assertThatThrownBy(() -> Target.of(Kubeconfig.parse(text, "k"), null, null))
                .hasMessageContaining("cluster field \"server\"");
    }

    private Target target(String clusterField, String userField) throws KubeconfigException {
        return Target.of(parse(clusterField, userField), null, folder);
    }

    private static Kubeconfig parse(String clusterField, @Nullable String userField) throws KubeconfigException {
        return Kubeconfig.parse("""
            apiVersion: v1
            kind: Config
            current-context: c
            contexts:
            - name: c
              context: {cluster: c, user: u}
            clusters:
            - name: c
              cluster:
                server: https://10.1.2.3:6443
                CLUSTER
            users:
            - name: u
              user:
                USER
            """.replace("CLUSTER", clusterField).replace("USER", String.valueOf(userField)), "k");
    }

    /** Passwords and tokens in a URL are no part of where a server is. */
    @Test
    void urlThatIsRefused_isShownWithoutItsUserAndQuery() {
        assertThat(Target.shown("https://jane:secret@host:1/a/b")).isEqualTo("https://(hidden)@host:1/a/b");
        assertThat(Target.shown("https://jane:sec@ret@host")).isEqualTo("https://(hidden)@host");
        assertThat(Target.shown("https://host/?token=secret#x")).isEqualTo("https://host/?(hidden)");
        assertThat(Target.shown("https://host/a@b")).isEqualTo("https://host/a@b");
        assertThat(Target.shown("not a URL")).isEqualTo("not a URL");
    }
}
