package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A real API server to which callers are presented by a front proxy, or by their own tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IdentityModesIT {
    private static final Path FOLDER = Checkout.scratch("IdentityModesIT");
    private static final KubeCluster.User JANE =
            new KubeCluster.User("token-of-jane", "jane", "uid-of-jane", "dev", "ops");

    private static final String MAY_BE_BOB = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: be-bob}
        rules:
        - {apiGroups: [""], resources: [users], resourceNames: [bob], verbs: [impersonate]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: robot-may-be-bob}
        subjects: [{kind: ServiceAccount, name: robot, namespace: default}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: be-bob}
        """;

    private static final String CLIENT = "client-of-that-name";

    private final FrontProxy proxy = frontProxy("front-proxy", "front-proxy-client");

    /** As API servers have it that know people by certificates; its CA is one of front proxies too, for other names than this one. */
    private final FrontProxy clients = frontProxy("clients", CLIENT);

    private final KubeCluster kube = KubeCluster.start(Checkout.scratch("IdentityModesIT-kube"), flags());
    private FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    private static FrontProxy frontProxy(String name, String commonName) {
        try {
            return FrontProxy.make(Files.createDirectories(FOLDER.resolve(name)), commonName);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> flags() {
        List<String> flags = new ArrayList<>(proxy.apiserverFlags());
        flags.add("--requestheader-uid-headers=X-Remote-Uid");
        flags.add("--client-ca-file=" + clients.ca());
        flags.add("--requestheader-client-ca-file=" + bothCas()); // The last one counts.
        return flags;
    }

    private Path bothCas() {
        try {
            return Files.writeString(
                    FOLDER.resolve("cas.crt"), Files.readString(proxy.ca()) + "\n" + Files.readString(clients.ca()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    void start() throws Exception {
        fairlead = FairleadProcess.start(
                FOLDER,
                "--token-auth-file",
                FairleadUsers.tokenFile(FOLDER, List.of(JANE)).toString());
        direct().succeedWith(
                        rights("proxied", "request-header").replace("name: fairlead\n", "name: front-proxy-client\n"),
                        "apply",
                        "-f",
                        "-");
        fairlead.attach("proxied", kubeconfigOfTheProxy(), "--identity", "request-header");
        direct().succeedWith(rights("passed", "passthrough"), "apply", "-f", "-");
        String own = direct().succeed("create", "token", "fairlead-passthrough", "--namespace", "fairlead-system")
                .strip();
        fairlead.attach(
                "passed", kube.kubeconfig("fairlead", own), "--identity", "passthrough", "--alias-of", "proxied");
        direct().succeed("create", "serviceaccount", "robot");
        direct().succeed(
                        "create",
                        "clusterrole",
                        "robot-views",
                        "--verb=get,list,watch",
                        "--resource=configmaps,serviceaccounts");
        direct().succeed(
                        "create",
                        "clusterrolebinding",
                        "robot-views",
                        "--clusterrole=robot-views",
                        "--serviceaccount=default:robot");
        direct().succeedWith(MAY_BE_BOB, "apply", "-f", "-");
    }

    private String rights(String cluster, String identity) {
        Output printed = fairlead.command("cluster", "attach", cluster, "--print-rbac", "--identity", identity);
        assertThat(printed.exitCode()).as("%s", printed).isZero();
        return printed.output();
    }

    private Path kubeconfigOfTheProxy() throws IOException {
        return kubeconfig("front-proxy.kubeconfig", proxy);
    }

    private Path kubeconfig(String name, FrontProxy of) throws IOException {
        return Files.writeString(
                FOLDER.resolve(name), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
                    users: [{name: u, user: {client-certificate: "%s", client-key: "%s"}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    current-context: c
                    """.formatted(kube.url(), kube.caFile(), of.certificate(), of.key()));
    }

    @AfterAll
    void stop() {
        fairlead.close();
        kube.close();
    }

    /** Why Fairlead's own requests name a user. */
    @Test
    void certificateOfAFrontProxy_isNoUserByItself() throws Exception {
        Kubectl asTheProxy = new Kubectl(FOLDER.resolve("kubectl-proxy"), kubeconfigOfTheProxy());

        Output alone = asTheProxy.run("get", "--raw", "/api");

        assertThat(alone.exitCode()).isNotZero();
        assertThat(alone.errors()).contains("Unauthorized");
    }

    @Test
    void frontProxy_namesEveryCaller_asTheyAre() {
        Kubectl jane = new Kubectl(
                FOLDER.resolve("kubectl-jane"), FairleadUsers.admit(fairlead, JANE.name(), JANE.token(), "proxied"));

        assertThat(whoAmI(jane))
                .isEqualTo("{\"groups\":[\"dev\",\"ops\",\"system:authenticated\"],\"uid\":\"uid-of-jane\","
                        + "\"username\":\"jane\"}");
        assertThat(jane.run("get", "namespaces").errors())
                .contains("User \"jane\" cannot list resource \"namespaces\"");
        assertThat(whoAmI(admin("proxied"))).contains("\"username\":\"fairlead-admin\"", "system:masters");
        assertThat(whoAmI(admin("proxied"), "--as=bob", "--as-group=team"))
                .as("by a review that the API server answers Fairlead")
                .isEqualTo("{\"groups\":[\"team\",\"system:authenticated\"],\"username\":\"bob\"}");
        assertThat(jane.run("get", "--raw", "/api", "--as=bob").errors())
                .contains("User \"jane\" cannot impersonate resource \"users\"");
    }

    /** Whose certificate has no allowed name is a user to the API server, here one with every right, whatever X-Remote-User says. */
    @Test
    void certificateWithoutAnAllowedName_isToldWhenItIsAttached_andNoCallerIsSent() throws Exception {
        direct().succeed(
                        "create",
                        "clusterrolebinding",
                        "client-may-all",
                        "--clusterrole=cluster-admin",
                        "--user=" + CLIENT);
        Path client = kubeconfig("client.kubeconfig", clients);
        assertThat(new Kubectl(FOLDER.resolve("kubectl-client"), client)
                        .run("get", "namespaces")
                        .exitCode())
                .isZero();
        String[] attach = {
            "cluster",
            "attach",
            "untaken",
            "--from-kubeconfig",
            client.toString(),
            "--identity",
            "request-header",
            "--alias-of",
            "proxied"
        };

        Output attached = fairlead.command(attach);

        assertThat(attached.exitCode()).isEqualTo(1);
        assertThat(attached.errors())
                .contains(
                        "the API servers do not take Fairlead for a front proxy",
                        "for one of user \"" + CLIENT + "\"",
                        "--requestheader-allowed-names",
                        "nothing stays registered");

        List<String> noWait = new ArrayList<>(List.of(attach));
        noWait.add("--no-wait");
        assertThat(fairlead.command(noWait.toArray(String[]::new)).exitCode()).isZero();
        Kubectl jane = new Kubectl(
                FOLDER.resolve("kubectl-jane-untaken"),
                FairleadUsers.admit(fairlead, JANE.name(), JANE.token(), "untaken"));
        Kubectl root = new Kubectl(FOLDER.resolve("kubectl-root-untaken"), fairlead.adminKubeconfig());
        root.succeed("wait", "cluster", "untaken", "--for=condition=Ready=False", "--timeout=60s");
        assertThat(jane.run("get", "namespaces").errors()).contains("do not take Fairlead for a front proxy");
        assertThat(fairlead.command("cluster", "delete", "untaken").exitCode()).isZero();
    }

    @Test
    void token_goesToTheClusterThatAcceptsIt_whichSeesItsBearerAndNobodyElse() {
        Kubectl robot = robot();

        String seen = whoAmI(robot);

        assertThat(seen).contains("\"username\":\"system:serviceaccount:default:robot\"");
        assertThat(robot.succeed("get", "configmaps", "--namespace", "default", "-o", "name"))
                .isEmpty();
        assertThat(robot.succeed("get", "serviceaccounts", "--namespace", "default", "-o", "name"))
                .contains("serviceaccount/robot");
        assertThat(whoAmI(robot, "--as=bob")).contains("\"username\":\"bob\"");
        assertThat(robot.run("get", "--raw", "/api", "--as=root").errors())
                .as("decided by the API server")
                .contains("cannot impersonate resource \"users\"");
    }

    @Test
    void otherCredentials_neverGoThere() {
        Kubectl jane = new Kubectl(
                FOLDER.resolve("kubectl-jane-passed"),
                FairleadUsers.admit(fairlead, JANE.name(), JANE.token(), "passed"));

        for (Kubectl other : List.of(jane, admin("passed"))) {
            Output refused = other.run("get", "--raw", "/api/v1/namespaces");
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.errors()).contains("is sent the own tokens of its users alone");
        }
        Output token = new Kubectl(
                        FOLDER.resolve("kubectl-robot-proxied"),
                        FairleadUsers.kubeconfig(fairlead, "robot", token(), "proxied"))
                .run("get", "--raw", "/api");
        assertThat(token.errors())
                .as("of the same API server by another registration")
                .contains("Unauthorized");
    }

    @Test
    void fairleadItself_knowsBothClusters() {
        for (String cluster : List.of("proxied", "passed")) {
            assertThat(fairlead.command("served", "-c", cluster, "apps/v1").exitCode())
                    .as(cluster)
                    .isZero();
            Output doctor = fairlead.command("doctor", "-c", cluster);
            assertThat(doctor.exitCode()).as("%s", doctor).isZero();
        }
        assertThat(fairlead.command("doctor", "-c", "passed").output()).contains("tokens of its own users");
    }

    /** A token where a certificate is needed is told at once; nothing is registered. */
    @Test
    void attach_withTheWrongCredential_saysWhichIsExpected() throws Exception {
        Output token = fairlead.command(
                "cluster",
                "attach",
                "other",
                "--from-kubeconfig",
                kube.kubeconfig().toString(),
                "--identity",
                "request-header");
        Output certificate = fairlead.command(
                "cluster",
                "attach",
                "other",
                "--from-kubeconfig",
                kubeconfigOfTheProxy().toString(),
                "--identity",
                "passthrough");

        assertThat(token.exitCode()).isEqualTo(1);
        assertThat(token.errors()).contains("the context has a token (expected a client certificate alone");
        assertThat(certificate.exitCode()).isEqualTo(1);
        assertThat(certificate.errors()).contains("the context has a client certificate (expected a token alone");
        assertThat(fairlead.command("cluster", "list").output()).doesNotContain("other");
    }

    @Test
    void anotherWayThanTheCredentialIsFor_isRefused() {
        Kubectl root = new Kubectl(FOLDER.resolve("kubectl-root"), fairlead.adminKubeconfig());

        Output patched = root.run(
                "patch",
                "cluster",
                "passed",
                "--type=merge",
                "-p",
                "{\"spec\":{\"attached\":{\"identity\":\"RequestHeader\",\"tokenReview\":null}}}");

        assertThat(patched.exitCode()).isNotZero();
        assertThat(patched.errors()).contains("a token (expected a client certificate with its key");
    }

    private Kubectl robot() {
        return new Kubectl(
                FOLDER.resolve("kubectl-robot"), FairleadUsers.kubeconfig(fairlead, "robot", token(), "passed"));
    }

    private String token() {
        return direct().succeed("create", "token", "robot").strip();
    }

    private static String whoAmI(Kubectl kubectl, String... flags) {
        List<String> command = new ArrayList<>(List.of("auth", "whoami", "-o", "jsonpath={.status.userInfo}"));
        command.addAll(List.of(flags));
        return kubectl.succeed(command.toArray(String[]::new));
    }

    private Kubectl admin(String cluster) {
        return new Kubectl(FOLDER.resolve("kubectl-admin-" + cluster), fairlead.kubeconfigOf(cluster));
    }

    private Kubectl direct() {
        return new Kubectl(FOLDER.resolve("kubectl-direct"), kube.kubeconfig());
    }
}
