package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.REGISTRAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.fleet.root.RootCluster.Answer;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The servers that take what CRDs serve get the cluster's credential: they are named with the care of its endpoints. */
class CrdRuntimeRegistrationTest {
    private static final String REFUSED = "https://169.254.169.254";
    private static final String ENDPOINTS = "spec.attached.crdRuntime.endpoints";

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
    void create_withSecretThatCallerMayRead_isStored() {
        Answer answer = root.send(REGISTRAR, "POST", CLUSTERS, cluster("shared", "{endpoints: ['https://10.0.0.2']}"));

        assertThat(answer.code()).isEqualTo(201);
        assertThat(root.cluster("prod")
                        .at("/spec/attached/crdRuntime/endpoints/0")
                        .asString(""))
                .isEqualTo("https://10.0.0.2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{endpoints: ['https://evil.example']}",
                "{endpoints: ['https://10.0.0.2', 'https://evil.example']}",
                "{caBundle: Y2E=}",
                "{tlsServerName: evil.example}",
                "{credentialSecretRef: {name: shared}}",
                "null",
            })
    void change_withSecretThatCallerMayNotRead_isForbidden(String change) {
        root.create(CLUSTERS, cluster("private", "{endpoints: ['https://10.0.0.2']}"));
        ObjectNode before = root.cluster("prod");

        Answer patch =
                root.send(REGISTRAR, "PATCH", CLUSTERS + "/prod", "{spec: {attached: {crdRuntime: " + change + "}}}");

        assertThat(patch.code()).isEqualTo(403);
        assertThat(patch.message()).contains("named \"private\"");
        assertThat(root.cluster("prod")).isEqualTo(before);
    }

    @Test
    void credentialOfItsOwn_thatCallerMayNotRead_isForbidden() {
        String runtime = "{endpoints: ['https://10.0.0.2'], credentialSecretRef: {name: private}}";

        Answer create = root.send(REGISTRAR, "POST", CLUSTERS, cluster("shared", runtime));
        root.create(CLUSTERS, cluster("shared", "{endpoints: ['https://10.0.0.2']}"));
        Answer patch =
                root.send(REGISTRAR, "PATCH", CLUSTERS + "/prod", "{spec: {attached: {crdRuntime: " + runtime + "}}}");

        assertThat(create.code()).isEqualTo(403);
        assertThat(create.message()).contains("named \"private\"");
        assertThat(patch.code()).isEqualTo(403);
        assertThat(root.cluster("prod").at("/spec/attached/crdRuntime").has("credentialSecretRef"))
                .isFalse();
    }

    @Test
    void credentialOfItsOwn_thatIsNone_isInvalidNamingIt() {
        root.secret("empty", "other", "x");

        Answer answer = createAsAdmin("{endpoints: ['https://10.0.0.2'], credentialSecretRef: {name: empty}}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly("spec.attached.crdRuntime.credentialSecretRef");
        assertThat(answer.message()).contains("secret fairlead-system/empty has no key tls.crt");
    }

    /** Else a Secret that is to come would let in what is refused otherwise. */
    @Test
    void credentialOfItsOwn_thatIsMissing_hidesNoOtherMistake() {
        root.secret("kube", "kubeconfig", kubeconfig(REFUSED));
        String spec = "{attached: {kubeconfigSecretRef: {name: kube}, crdRuntime: {endpoints: ['https://10.0.0.2'],"
                + " credentialSecretRef: {name: to-come}}}}";

        Answer refused = root.send(ADMIN, "POST", CLUSTERS, object(spec));
        Answer missing = createAsAdmin("{endpoints: ['https://10.0.0.2'], credentialSecretRef: {name: to-come}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("never connected to");
        assertThat(missing.code()).isEqualTo(201);
    }

    @Test
    void endpoints_thatAreTooMany_areInvalid() {
        String endpoints = IntStream.rangeClosed(2, 18)
                .mapToObj(i -> "'https://10.0.0." + i + "'")
                .collect(Collectors.joining(", "));

        Answer answer = createAsAdmin("{endpoints: [" + endpoints + "]}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly(ENDPOINTS);
        assertThat(answer.message()).contains("16");
    }

    @Test
    void change_bySomeoneWhoMayReadTheSecret_isStored() {
        root.create(CLUSTERS, cluster("private", "{endpoints: ['https://10.0.0.2']}"));

        Answer patch = root.send(
                ADMIN,
                "PATCH",
                CLUSTERS + "/prod",
                "{spec: {attached: {crdRuntime: {endpoints: ['https://10.0.0.3']}}}}");

        assertThat(patch.code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        http://10.0.0.2         | https://host[:port] is expected | [0]
        https://10.0.0.2/a/../b | https://host[:port] is expected | [0]
        https://10.0.0.2:0      | a port from 1 to 65535          | [0]
        https://10.0.0.2:65536  | a port from 1 to 65535          | [0]
        https://10.0.0.1        | is the base itself              | [0]
        https://10.0.0.1/       | is the base itself              | [0]
        https://10.0.0.1:443    | is the base itself              | [0]
        https://169.254.169.254 | never connected to              | ''
        """)
    void endpoint_thatIsNone_isInvalidNamingIt(String endpoint, String expected, String index) {
        Answer answer = createAsAdmin("{endpoints: ['" + endpoint + "']}");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly(ENDPOINTS + index);
        assertThat(answer.message()).contains("\"" + endpoint + "\"", expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{endpoints: []}", "{caBundle: Y2E=}"})
    void endpoints_thatAreMissing_areInvalid(String runtime) {
        Answer answer = createAsAdmin(runtime);

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.fields()).containsExactly(ENDPOINTS);
    }

    @Test
    void besideAKubeconfig_isStoredUnlessTheKubeconfigNamesIt() {
        root.secret("kube", "kubeconfig", kubeconfig("https://10.0.0.1"));
        String spec = "{attached: {kubeconfigSecretRef: {name: kube}, crdRuntime: {endpoints: ['%s']}}}";

        Answer same = root.send(ADMIN, "POST", CLUSTERS, object(spec.formatted("https://10.0.0.1:443")));
        Answer other = root.send(ADMIN, "POST", CLUSTERS, object(spec.formatted("https://10.0.0.2")));

        assertThat(same.code()).isEqualTo(422);
        assertThat(same.fields()).containsExactly(ENDPOINTS);
        assertThat(same.message()).contains("\"https://10.0.0.1:443\" is the base itself");
        assertThat(other.code()).isEqualTo(201);
    }

    private Answer createAsAdmin(String runtime) {
        return root.send(ADMIN, "POST", CLUSTERS, cluster("shared", runtime));
    }

    private static String cluster(String secret, String runtime) {
        return object("{attached: {endpoints: ['https://10.0.0.1'], credentialSecretRef: {name: " + secret
                + "}, crdRuntime: " + runtime + "}}");
    }

    private static String kubeconfig(String server) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: '%s'}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: c, context: {cluster: c, user: u}}]
            current-context: c
            """.formatted(server);
    }

    private static String object(String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: prod}, spec: " + spec + "}";
    }
}
