package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code cluster attach --create-service-account} with a kubeconfig whose credential comes from a program. */
final class ServiceAccountIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int WATCHES = 10;
    private static final Pattern TOKEN = Pattern.compile("token: \"?([\\w.-]+)");
    private static final Path FOLDER = Checkout.scratch("ServiceAccountIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    @BeforeAll
    static void start() {
        ATTACHED.startApart();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @Test
    void kubeconfigWithAProgram_isRefusedInOneLine_thatSaysWhatToDo() throws Exception {
        Output refused = fairlead("cluster", "attach", "exec", "--from-kubeconfig", withProgram("refused"));

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("user field \"exec\" is not accepted")
                .contains(
                        "--create-service-account has your own kubectl make a credential for Fairlead in the cluster");
        assertThat(ran("refused")).isEmpty();
    }

    @Test
    void serviceAccount_isMadeByTheOwnKubectl_renewedUnderLoad_andItsRemovalIsOffered() throws Exception {
        Output attached = fairlead(
                "cluster", "attach", "sa", "--create-service-account", "--from-kubeconfig", withProgram("made"));
        assertThat(attached.exitCode()).as("%s", attached).isZero();
        assertThat(attached.output()).startsWith("cluster.fairlead.io/sa attached");
        List<String> runs = ran("made");
        assertThat(runs).isNotEmpty().allMatch(parent -> parent.contains("kubectl"));

        String first = storedToken();
        assertRightsAreTheLeast(first);
        renewUnderLoad(first);

        assertThat(new Kubectl(FOLDER.resolve("condition"), ATTACHED.fairlead().adminKubeconfig())
                        .succeed(
                                "get",
                                "cluster",
                                "sa",
                                "-o",
                                "jsonpath={.status.conditions[?(@.type==\"TokenRenewed\")].status}"))
                .isEqualTo("True");
        assertThat(ATTACHED.fairlead().log())
                .contains("Renewed the token of a cluster")
                .doesNotContain(first, storedToken());
        assertThat(ran("made")).as("no program of the kubeconfig ran since").hasSameSizeAs(runs);
        Output deleted = fairlead("cluster", "delete", "sa");
        assertThat(deleted.exitCode()).isZero();
        assertThat(deleted.output()).isEqualTo("cluster.fairlead.io/sa deleted\n");
        assertThatOffersWhatRemovesAll(deleted.errors());
    }

    /** As when the person may make the objects, but no token. */
    @Test
    void serviceAccountThatIsMadeInVain_hasItsRemovalOffered_andNothingIsRegistered() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("without-tokens"));
        Path kubectl = Files.writeString(
                folder.resolve("kubectl"), """
                    #!/bin/sh
                    case "$*" in *"create token"*) echo 'error: no token for you' >&2; exit 9 ;; esac
                    exec '%s' "$@"
                    """.formatted(RealServers.get().kubectl()));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));

        Output failed = fairlead(
                folder,
                "cluster",
                "attach",
                "vain",
                "--create-service-account",
                "--from-kubeconfig",
                withProgram("vain"));

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.output()).isEmpty();
        assertThat(failed.errors())
                .contains("error: no token for you\n", "'kubectl create' ended with 9; what it says stands above");
        assertThatOffersWhatRemovesAll(failed.errors());
        try (var probe = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            assertThat(probe.get("/apis/fairlead.io/v1alpha1/clusters/vain").status())
                    .isEqualTo(404);
            assertThat(probe.get("/api/v1/namespaces/fairlead-system/secrets/cluster-vain")
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void serviceAccountOfWhichNothingWasMade_isNotSaidToStay() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("without-rights"));
        Path kubectl = Files.writeString(
                folder.resolve("kubectl"), """
                    #!/bin/sh
                    case "$*" in *apply*) echo 'error: you may apply nothing' >&2; exit 1 ;; esac
                    exec '%s' "$@"
                    """.formatted(RealServers.get().kubectl()));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));

        Output failed = fairlead(
                folder,
                "cluster",
                "attach",
                "nothing",
                "--create-service-account",
                "--from-kubeconfig",
                withProgram("nothing"));

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.errors())
                .contains("error: you may apply nothing\n", "'kubectl apply' ended with 1; what it says stands above")
                .doesNotContain("stays");
    }

    @Test
    void serviceAccountThatAnotherRegistrationUses_isNotOfferedForRemoval() throws Exception {
        for (List<String> alias : List.of(List.<String>of(), List.of("--alias-of", "one"))) {
            String name = alias.isEmpty() ? "one" : "two";
            List<String> command = new ArrayList<>(List.of(
                    "cluster", "attach", name, "--create-service-account", "--from-kubeconfig", withProgram(name)));
            command.addAll(alias);
            Output attached = fairlead(command.toArray(String[]::new));
            assertThat(attached.exitCode()).as("%s", attached).isZero();
        }

        Output first = fairlead("cluster", "delete", "two");
        assertThat(first.exitCode()).isZero();
        assertThat(first.errors())
                .isEqualTo("the ServiceAccount that was made for it stays in the cluster: cluster \"one\" is the same"
                        + " one, and uses it\n");
        assertThatOffersWhatRemovesAll(fairlead("cluster", "delete", "one").errors());
    }

    private static void assertRightsAreTheLeast(String token) throws Exception {
        try (var through = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN);
                var direct = HttpProbe.withToken(ATTACHED.kube().url(), token)) {
            assertThat(through.get("/clusters/sa/api/v1/secrets").status()).isEqualTo(200);
            assertThat(direct.get("/api/v1/secrets").status()).isEqualTo(403);
            assertThat(direct.get("/api/v1/namespaces").status()).isEqualTo(403);
            assertThat(direct.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1")
                            .status())
                    .isEqualTo(200);
        }
    }

    private static void renewUnderLoad(String first) throws Exception {
        String server = ATTACHED.fairlead().endpoint();
        Kubectl root = new Kubectl(FOLDER.resolve("root"), ATTACHED.fairlead().adminKubeconfig());
        try (var open = OpenWatches.open(
                        WATCHES, server + "/clusters/sa" + CONFIG_MAPS + "?watch=1", AttachedCluster.ROOT_TOKEN);
                var requests =
                        SteadyRequests.start(server, AttachedCluster.ROOT_TOKEN, "/clusters/sa" + CONFIG_MAPS, 100)) {
            Await.until("requests are answered", SOON, () -> requests.answered() > 50);
            root.succeed(
                    "--namespace",
                    "fairlead-system",
                    "annotate",
                    "secret",
                    "cluster-sa",
                    "fairlead.io/renew-token-after=2026-01-01T00:00:00Z");
            Await.until("the token is another", SOON, () -> !storedToken().equals(first));
            int before = requests.answered();
            Await.until("requests go on", SOON, () -> requests.answered() > before + 100);
            requests.stop();

            assertThat(requests.failures()).isEmpty();
            try (var direct = HttpProbe.withToken(ATTACHED.kube().url(), KubeCluster.ADMIN_TOKEN)) {
                direct.send("POST", CONFIG_MAPS, "application/json", "{\"metadata\":{\"name\":\"after-renewal\"}}");
            }
            Await.until("all watches hear it", SOON, () -> open.thatHeardOf("after-renewal") == WATCHES);
            assertThat(open.ended()).isZero();
        }
    }

    /** Runs what is offered, but for the namespace, which has no controller here. */
    private static void assertThatOffersWhatRemovesAll(String offered) {
        Kubectl direct = new Kubectl(FOLDER.resolve("direct"), ATTACHED.kube().kubeconfig());
        List<String> commands = offered.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("kubectl "))
                .toList();
        assertThat(commands).hasSize(3);
        assertThat(commands.getLast()).startsWith("kubectl delete --ignore-not-found namespace/fairlead-system");
        for (String command : commands.subList(0, 2)) {
            direct.succeed(command.substring("kubectl ".length()).split(" "));
        }
        assertThat(direct.succeed("get", "clusterroles,clusterrolebindings", "-o", "name"))
                .doesNotContain("/fairlead\n");
        assertThat(direct.succeed(
                        "--namespace", "fairlead-system", "get", "roles,rolebindings,serviceaccounts", "-o", "name"))
                .doesNotContain("/fairlead\n");
    }

    private static String storedToken() throws Exception {
        try (var probe = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            String secret = probe.get("/api/v1/namespaces/fairlead-system/secrets/cluster-sa")
                    .body();
            String encoded = secret.replaceAll("(?s).*\"kubeconfig\"\\s*:\\s*\"([^\"]+)\".*", "$1");
            Matcher token = TOKEN.matcher(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
            assertThat(token.find()).isTrue();
            return token.group(1);
        }
    }

    /** A command of Fairlead's in an environment in which kubectl is on the path. */
    private static Output fairlead(String... arguments) {
        Path kubectl = Path.of(RealServers.get().kubectl());
        return fairlead(Objects.requireNonNull(kubectl.getParent()), arguments);
    }

    /** The same with the kubectl of a folder. */
    private static Output fairlead(Path folder, String... arguments) {
        var command = new ArrayList<>(List.of(Checkout.launcher().toString()));
        command.addAll(List.of(arguments));
        var environment = Map.of(
                "FAIRLEAD_KUBECONFIG",
                ATTACHED.fairlead().adminKubeconfig().toString(),
                "PATH",
                folder + ":" + System.getenv("PATH"));
        return Output.of(FOLDER, environment, "", FairleadProcess.COMMAND_TIMEOUT, command);
    }

    /** A kubeconfig of the administrator whose token a script prints, which notes what ran it. */
    private static String withProgram(String name) throws IOException {
        Path script = FOLDER.resolve(name + "-plugin.sh");
        Files.writeString(script, """
            #!/bin/sh
            tr '\\0' ' ' < /proc/$PPID/cmdline >> '%s'
            echo >> '%s'
            echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}'
            """.formatted(log(name), log(name), KubeCluster.ADMIN_TOKEN));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return Files.writeString(FOLDER.resolve(name + ".kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: kube, cluster: {server: "%s", certificate-authority: "%s"}}]
            users:
            - name: person
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: %s
                  interactiveMode: IfAvailable
            contexts: [{name: kube, context: {cluster: kube, user: person}}]
            current-context: kube
            """.formatted(
                                ATTACHED.kube().url(), ATTACHED.kube().caFile(), script))
                .toString();
    }

    /** The command lines of what ran the script. */
    private static List<String> ran(String name) throws IOException {
        return Files.exists(log(name)) ? Files.readAllLines(log(name)) : List.of();
    }

    private static Path log(String name) {
        return FOLDER.resolve(name + "-plugin.log");
    }
}
