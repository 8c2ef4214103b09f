package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.REGISTRAR;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Nobody gains by a registration what they could not reach before, and what cannot work is refused at once. */
class RegistrationTest {
    private static final String REFUSED = "https://169.254.169.254";

    private final RootCluster root = new RootCluster(
            endpoint -> endpoint.equals(REFUSED) ? Optional.of("never connected to") : Optional.empty());

    @BeforeEach
    void storeSecrets() {
        root.secret("shared", "token", "t0ken");
        root.secret("private", "token", "t0ken");
    }

    @AfterEach
    void close() {
        root.close();
    }

    @Test
    void namespaceOfCredentials_mayNotBeDeleted() {
        String path = "/api/v1/namespaces/" + RootApi.SYSTEM_NAMESPACE;
        Answer answer = root.send(ADMIN, "DELETE", path, "");

        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .isEqualTo("namespaces \"fairlead-system\" is forbidden: this namespace may not be deleted");
        assertThat(root.send(ADMIN, "GET", path, "").code()).isEqualTo(200);
    }

    @Test
    void create_withSecretThatCallerMayRead_isStored() {
        assertThat(create("prod", attached("https://10.0.0.1", "shared")).code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: private}",
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: shared}, caSecretRef: {name: private}",
                "kubeconfigSecretRef: {name: private}",
                "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: missing}",
            })
    void create_withSecretThatCallerMayNotRead_isForbidden(String attached) {
        Answer answer = create("prod", "{attached: {" + attached + "}}");

        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message())
                .contains("user \"registrar\" cannot get resource \"secrets\"")
                .containsAnyOf("\"private\"", "\"missing\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints: ['https://evil.example']",
                "caBundle: Y2E=",
                "tlsServerName: evil.example",
                "caSecretRef: {name: shared}",
                "endpoints: ['https://10.0.0.1', 'https://evil.example']",
                "crdRuntime: {endpoints: ['https://evil.example']}",
            })
    void change_ofWhereItLeads_needsTheSecret(String change) {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer patch = patch("{spec: {attached: {" + change + "}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("\"private\"");
    }

    @Test
    void change_toSecretThatCallerMayNotRead_isForbidden() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "shared")));

        Answer patch = patch("{spec: {attached: {credentialSecretRef: {name: private}}}}");
        ObjectNode replacement = root.cluster("prod");
        replacement.withObject("/spec/attached/credentialSecretRef").put("name", "private");
        Answer replaced = root.send(REGISTRAR, "PUT", CLUSTERS + "/prod", replacement.toString());

        assertThat(List.of(patch.code(), replaced.code())).containsExactly(403, 403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "credentialSecretRef: {name: shared}",
                "credentialSecretRef: {name: shared}, endpoints: ['https://evil.example']",
                "credentialSecretRef: {name: shared}, tlsServerName: 'null'",
                "credentialSecretRef: null, endpoints: null, kubeconfigSecretRef: {name: shared}",
            })
    void change_awayFromSecretThatCallerMayNotRead_isForbidden(String change) {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        ObjectNode before = root.cluster("prod");

        Answer patch = patch("{spec: {attached: {" + change + "}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("named \"private\"", "changes where a cluster that uses it leads");
        assertThat(root.cluster("prod")).isEqualTo(before);
    }

    @Test
    void change_awayFromCaThatCallerMayNotRead_isForbidden() {
        root.secret("authority", "ca.crt", "CA");
        String served = "endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: shared}";
        root.create(CLUSTERS, cluster("prod", "{attached: {" + served + ", caSecretRef: {name: authority}}}"));

        assertThat(patch("{spec: {attached: {caSecretRef: null}}}").code()).isEqualTo(403);
        assertThat(patch("{spec: {attached: {caSecretRef: null, caBundle: Y2E=}}}")
                        .code())
                .isEqualTo(403);
    }

    @Test
    void change_ofKubeconfigThatCallerMayNotRead_isForbidden() {
        root.secret("kube", "kubeconfig", kubeconfig("server: https://10.0.0.1", "token: t", "c"));
        root.create(CLUSTERS, cluster("prod", "{attached: {kubeconfigSecretRef: {name: kube}}}"));

        Answer toFields = patch("{spec: {attached: {kubeconfigSecretRef: null, endpoints: ['https://evil.example'],"
                + " credentialSecretRef: {name: shared}}}}");
        Answer toOther = patch("{spec: {attached: {kubeconfigSecretRef: {name: shared}}}}");

        assertThat(List.of(toFields.code(), toOther.code())).containsExactly(403, 403);
    }

    /** Each step of a swap is refused by itself, in whatever order and by whatever method. */
    @Test
    void takeover_inSteps_neverLeavesTheFirst() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        ObjectNode before = root.cluster("prod");
        ObjectNode replacement = root.cluster("prod");
        replacement.withObject("/spec/attached/credentialSecretRef").put("name", "shared");

        Answer ownSecret = root.send(REGISTRAR, "PUT", CLUSTERS + "/prod", replacement.toString());
        Answer ownEndpoint = patch("{spec: {attached: {endpoints: ['https://evil.example']}}}");
        Answer fleetsSecret = patch("{spec: {attached: {credentialSecretRef: {name: private}, caBundle: Y2E=}}}");
        Answer paused = patch("{spec: {paused: true}}");
        Answer whilePaused = patch("{spec: {attached: {credentialSecretRef: {name: shared}}}}");
        Answer resumed = patch("{spec: {paused: false}}");

        assertThat(List.of(ownSecret.code(), ownEndpoint.code(), fleetsSecret.code(), whilePaused.code()))
                .containsOnly(403);
        assertThat(List.of(paused.code(), resumed.code())).containsOnly(200);
        assertThat(root.cluster("prod").path("spec").path("attached"))
                .isEqualTo(before.path("spec").path("attached"));
    }

    @Test
    void groupsThatTheClusterWasNotToldOf_needItsSecrets() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));
        String denied = "{spec: {attached: {impersonation: {deniedGroups: [%s]}}}}";

        assertThat(patch(denied.formatted("ops")).code()).isEqualTo(200);
        assertThat(patch(denied.formatted("ops, sales")).code()).isEqualTo(200);
        assertThat(patch(denied.formatted("sales")).code()).isEqualTo(403);
        assertThat(patch("{spec: {attached: {impersonation: {allowSystemMasters: true}}}}")
                        .code())
                .isEqualTo(403);
    }

    @Test
    void deletedAndCreatedAnew_getsNoSecretThatCallerMayNotRead() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer deleted = root.send(REGISTRAR, "DELETE", CLUSTERS + "/prod", "");
        Answer withFleets = create("prod", attached("https://evil.example", "private"));
        Answer withOwn = create("prod", attached("https://evil.example", "shared"));
        Answer back = patch("{spec: {attached: {credentialSecretRef: {name: private}}}}");

        assertThat(List.of(deleted.code(), withFleets.code(), withOwn.code(), back.code()))
                .containsExactly(200, 403, 201, 403);
    }

    @Test
    void change_byCallerWhoMayReadBothSecrets_isStored() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer patch = root.send(
                ADMIN,
                "PATCH",
                CLUSTERS + "/prod",
                "{spec: {attached: {credentialSecretRef: {name: shared}, endpoints: ['https://10.0.0.2']}}}");

        assertThat(patch.code()).isEqualTo(200);
    }

    @Test
    void tlsServerName_changedToTheWordNull_isAChange() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        assertThat(patch("{spec: {attached: {tlsServerName: 'null'}}}").code()).isEqualTo(403);
    }

    @Test
    void change_ofSomethingElse_needsNoSecret() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        assertThat(patch("{spec: {displayName: Production}}").code()).isEqualTo(200);
    }

    @Test
    void status_written_leavesTheSpec() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "private")));

        Answer answer = root.send(
                REGISTRAR,
                "PATCH",
                CLUSTERS + "/prod/status",
                "{spec: {attached: {endpoints: ['https://evil.example']}}, status: {version: v1}}");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(root.cluster("prod").at("/spec/attached/endpoints/0").asString(""))
                .isEqualTo("https://10.0.0.1");
    }

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
        https://10.0.0.1/a#b     | https://host[:port] is expected
        https://user@10.0.0.1    | https://host[:port] is expected
        https://10.0.0.1?a=b     | https://host[:port] is expected
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

    @Test
    void secretThatBelongsToACluster_goesWithIt() {
        root.create(CLUSTERS, cluster("prod", attached("https://10.0.0.1", "shared")));
        String uid = root.cluster("prod").at("/metadata/uid").asString("");
        Answer owned = root.send(ADMIN, "PATCH", SECRETS + "/private", """
            metadata:
              ownerReferences: [{apiVersion: fairlead.io/v1alpha1, kind: Cluster, name: prod, uid: %s}]
            """.formatted(uid));
        assertThat(owned.code()).isEqualTo(200);

        root.send(ADMIN, "DELETE", CLUSTERS + "/prod", "");

        eventually(
                "the Secret is gone",
                () -> root.send(ADMIN, "GET", SECRETS + "/private", "").code() == 404);
        assertThat(root.send(ADMIN, "GET", SECRETS + "/shared", "").code()).isEqualTo(200);
    }

    @Test
    void root_deleted_isForbidden() {
        root.create(CLUSTERS, cluster("root", "{hosted: {}}"));

        assertThat(root.send(ADMIN, "DELETE", CLUSTERS + "/root", "").code()).isEqualTo(403);
        assertThat(root.send(ADMIN, "DELETE", CLUSTERS, "").code()).isEqualTo(403);
    }

    private Answer create(String name, String spec) {
        return root.send(REGISTRAR, "POST", CLUSTERS, cluster(name, spec));
    }

    private Answer createAsAdmin(String name, String spec) {
        return root.send(ADMIN, "POST", CLUSTERS, cluster(name, spec));
    }

    private Answer patch(String change) {
        return root.send(REGISTRAR, "PATCH", CLUSTERS + "/prod", change);
    }

    private static String attached(String endpoint, String secret) {
        return "{attached: " + server(endpoint, secret) + "}";
    }

    private static String server(String endpoint, String secret) {
        return "{endpoints: ['" + endpoint + "'], credentialSecretRef: {name: " + secret + "}}";
    }

    private static String cluster(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name + "}, spec: " + spec + "}";
    }

    private static String kubeconfig(String cluster, String user, String context) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {%s}}]
            users: [{name: u, user: {%s}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: '%s'
            """.formatted(cluster, user, context);
    }
}
