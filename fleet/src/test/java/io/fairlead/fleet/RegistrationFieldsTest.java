package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a registration may say. */
final class RegistrationFieldsTest extends RegistrationFixture {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        insecure-skip-tls-verify: true      | token: t                                       | insecure-skip-tls-verify
        proxy-url: http://proxy             | token: t                                       | proxy-url
        certificate-authority: /etc/ca.crt  | token: t                                       | certificate-authority
        tls-server-name: a                  | exec: {command: sh}                            | exec
        tls-server-name: a                  | auth-provider: {name: gcp}                     | auth-provider
        tls-server-name: a                  | tokenFile: /etc/shadow                         | tokenFile
        tls-server-name: a                  | client-certificate: /a, client-key: /b         | client-certificate
        tls-server-name: a                  | as: root, token: t                             | as
        tls-server-name: a                  | username: u, password: p                       | username
        tls-server-name: a                  | token: t, tokenFile: /etc/shadow               | tokenFile
        tls-server-name: a                  | token: t, client-key: /etc/shadow              | client-key
        certificate-authority: /etc/ca, certificate-authority-data: Y2E= | token: t          | certificate-authority
        """)
    void kubeconfig_withWhatCannotBeTaken_isInvalidNamingTheField(String cluster, String user, String field) {
        root.secret("kube", "kubeconfig", kubeconfig("server: https://10.0.0.1, " + cluster, user, "c"));

        Answer answer = createAsAdmin("prod", "{attached: {kubeconfigSecretRef: {name: kube}}}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly("spec.attached.kubeconfigSecretRef");
        assertThat(answer.message()).contains("\"" + field + "\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        server: https://10.0.0.1       | token: t             | missing | context "missing" does not exist (expected one of: c)
        server: https://10.0.0.1       | token: t             | ''      | there is no current context (expected one of: c)
        server: http://10.0.0.1        | token: t             | c       | "http://10.0.0.1" (expected https://
        server: https://10.0.0.1/a/../b | token: t            | c       | "https://10.0.0.1/a/../b" (expected https://
        server: 'https://10.0.0.1:65536' | token: t           | c       | a port from 1 to 65535
        tls-server-name: a             | token: t             | c       | "server" is missing
        server: https://10.0.0.1       | {}                   | c       | no credential
        """)
    void kubeconfig_thatLeadsNowhere_isInvalidSayingWhy(String cluster, String user, String context, String message) {
        root.secret("kube", "kubeconfig", kubeconfig(cluster, user.equals("{}") ? "" : user, context));

        Answer answer = createAsAdmin("prod", "{attached: {kubeconfigSecretRef: {name: kube}}}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains(message);
    }

    @Test
    void kubeconfig_withAddressThatIsRefused_isInvalid() {
        root.secret("kube", "kubeconfig", kubeconfig("server: " + REFUSED, "token: t", "c"));

        Answer answer = createAsAdmin("prod", "{attached: {kubeconfigSecretRef: {name: kube}}}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains("\"" + REFUSED + "\": never connected to");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://10.0.0.1/k8s/clusters/c-m-1", "https://10.0.0.1/clusters/root:x/", "https://10.0.0.1/"})
    void endpoint_withAPlainPath_isTaken(String endpoint) {
        root.secret("kube", "kubeconfig", kubeconfig("server: " + endpoint, "token: t", "c"));

        assertThat(createAsAdmin("prod", attached(endpoint, "shared")).code()).isEqualTo(201);
        assertThat(createAsAdmin("other", "{attached: {kubeconfigSecretRef: {name: kube}}}")
                        .code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "http://proxy.example:3128, 201",
        "https://10.0.0.9, 201",
        "https://169.254.169.254, 422",
        "socks5://proxy.example, 422",
        "http://user:canary@proxy.example, 422",
        "http://proxy.example:0, 422",
        "http://proxy.example/path, 422"
    })
    void proxy_isTakenIfItIsOneThatMayBeConnectedTo(String proxy, int code) {
        root.secret("kube", "kubeconfig", kubeconfig("server: https://10.0.0.1", "token: t", "c"));
        String ofFields =
                server("https://10.0.0.1", "shared").replace("{endpoints", "{proxyUrl: '" + proxy + "', endpoints");

        Answer byFields = createAsAdmin("prod", "{attached: " + ofFields + "}");
        Answer byKubeconfig =
                createAsAdmin("other", "{attached: {proxyUrl: '" + proxy + "', kubeconfigSecretRef: {name: kube}}}");

        assertThat(List.of(byFields.code(), byKubeconfig.code())).containsOnly(code);
        if (code != 201) {
            assertThat(byFields.fields()).containsExactly("spec.attached.proxyUrl");
            assertThat(byFields.message()).doesNotContain("canary");
        }
    }

    @Test
    void proxy_thatIsChanged_needsTheSecretsOfTheCluster() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        assertThat(patch("{spec: {attached: {proxyUrl: 'http://evil.example'}}}")
                        .code())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        https://169.254.169.254  | never connected to
        http://10.0.0.1          | https://host[:port] is expected
        https://10.0.0.1/a/../b  | https://host[:port] is expected
        https://10.0.0.1/.       | https://host[:port] is expected
        https://10.0.0.1/a/..    | https://host[:port] is expected
        https://10.0.0.1/a//b    | https://host[:port] is expected
        https://10.0.0.1//       | https://host[:port] is expected
        https://10.0.0.1/a%2fb   | https://host[:port] is expected
        https://10.0.0.1/a;b     | https://host[:port] is expected
        https://10.0.0.1:0       | https://host[:port] is expected
        https://10.0.0.1:65536   | https://host[:port] is expected
        ftp                      | https://host[:port] is expected
        https://10.0.0.1:65536   | a port from 1 to 65535
        https://10.0.0.1:0       | a port from 1 to 65535
        https://10.0.0.1:-1      | a port from 1 to 65535
        https://10.0.0.1:99999999999 | a port from 1 to 65535
        https://[fd00::1]:70000  | a port from 1 to 65535
        """)
    void endpoint_thatIsNone_isInvalidNamingIt(String endpoint, String expected) {
        Answer answer = createAsAdmin("prod", attached(endpoint, "shared"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message()).contains(endpoint, expected);
    }

    @ParameterizedTest
    @CsvSource({
        "https://10.0.0.1/a#b, https://10.0.0.1/a#(hidden)",
        "https://user:secret@10.0.0.1, https://(hidden)@10.0.0.1",
        "https://10.0.0.1?token=secret, https://10.0.0.1?(hidden)",
    })
    void endpoint_withPartsThatMayBeACredential_isInvalidNamingItWithoutThem(String endpoint, String shown) {
        Answer answer = createAsAdmin("prod", attached(endpoint, "shared"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message())
                .contains("\"" + shown + "\"", "https://host[:port] is expected")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{displayName: nothing}",
                "{hosted: {}, attached: {kubeconfigSecretRef: {name: kube}}}",
            })
    void spec_withoutExactlyOneOfAttachedAndHosted_isInvalid(String spec) {
        Answer answer = createAsAdmin("prod", spec);

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).contains("spec");
        assertThat(answer.message()).contains("exactly one of attached and hosted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "Prod", "-a", "a_b"})
    void id_thatIsNoLabel_isInvalid(String id) {
        Answer answer = createAsAdmin(id, "{hosted: {}}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).contains("metadata.name");
    }

    @Test
    void type_changed_isInvalid() {
        root.create(CLUSTERS, cluster("dev", "{hosted: {}}"));
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "shared")));

        Answer toAttached = root.send(
                ADMIN,
                "PATCH",
                CLUSTERS + "/dev",
                "{spec: {hosted: null, attached: {endpoints: ['https://10.0.0.1'], credentialSecretRef: {name:"
                        + " shared}}}}");
        Answer toHosted = patch("{spec: {attached: null, hosted: {}}}");

        assertThat(toAttached.code()).isEqualTo(422);
        assertThat(toHosted.code()).isEqualTo(422);
        assertThat(toHosted.message()).contains("stays attached or hosted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        attached | prod-1 | Prod_2 | should match
        attached | prod-1 | prod-1 | another registration than this one is expected
        hosted   | dev    | prod-1 | only an attached cluster has servers to share
        """)
    void alias_thatIsNone_isInvalidNamingTheField(String type, String name, String alias, String message) {
        String served = type.equals("hosted") ? "hosted: {}" : "attached: " + server("https://10.0.0.1", "shared");

        Answer answer = createAsAdmin(name, "{aliasOf: " + alias + ", " + served + "}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly("spec.aliasOf");
        assertThat(answer.message()).contains(message);
    }

    @Test
    void alias_mayComeBeforeWhatItIsAnAliasOf() {
        String served = "attached: " + server("https://10.0.0.1", "shared");

        assertThat(createAsAdmin("prod-2", "{aliasOf: prod-1, " + served + "}").code())
                .isEqualTo(201);
        assertThat(createAsAdmin("prod-1", "{" + served + "}").code()).isEqualTo(201);
    }
}
