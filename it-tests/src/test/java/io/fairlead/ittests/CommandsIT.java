package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The commands beside {@code serve}, typed as people and scripts type them. */
final class CommandsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Path FOLDER = Checkout.scratch("CommandsIT");
    private static final String FOREIGN = """
        # mine
        apiVersion: v1
        kind: Config
        current-context: home
        clusters: [{name: home, cluster: {server: "https://home", insecure-skip-tls-verify: no}}]
        contexts: [{name: home, context: {cluster: home, user: fairlead-admin}}]
        users: [{name: fairlead-admin, user: {token: abc}}]
        """;

    private static FairleadProcess fairlead = FairleadProcess.notStarted(FOLDER);

    @BeforeAll
    static void start() {
        fairlead = FairleadProcess.start(FOLDER, "--base-domain", "fairlead.example");
        assertThat(fairlead.command("cluster", "create", "dev").exitCode()).isZero();
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    @Test
    void clusterList_saysTypeHealthVersionApisAndAge() {
        assertThat(fairlead.command("cluster", "list").output()).matches("""
            (?s)NAME +TYPE +READY +AVAILABLE +VERSION +APIS +AGE +REASON
            dev +Hosted +True +(True|Unknown) +v1\\.36\\.\\S* +[1-9]\\d* +\\d+[a-z0-9]+ +(Ready|NotObserved)
            root .*\
            """);
        assertThat(fairlead.command("cluster", "list", "-o", "name").output()).isEqualTo("dev\nroot\n");
    }

    @Test
    void served_exitCodeIsTheAnswer() {
        Output served = fairlead.command("served", "-c", "dev", "core/v1/configmaps", "-o", "json");
        assertThat(served.exitCode()).isZero();
        assertThat(served.output())
                .contains("\"answer\" : \"SERVED\"", "\"count\"", "\"holders\"", "\"epoch\"", "\"resourceVersion\"");
        assertThat(fairlead.command("served", "-c", "dev", "nobody.example.com/v1")
                        .exitCode())
                .isEqualTo(1);
        Output typed = fairlead.command("served", "-c", "dev", "core/v1/configmaps");
        assertThat(typed.output()).matches("""
            SERVED, route base-handler \\(as of resourceVersion \\d+, \\d+[smh]\\S* ago\\)
            TYPE +NAME +UID
            BuiltIn +\\S+ +\\S+
            """);
        assertThat(typed.errors()).isEmpty();
        Output unknownCluster = fairlead.command("served", "-c", "nowhere", "core/v1");
        assertThat(unknownCluster.exitCode()).isEqualTo(4);
        assertThat(unknownCluster.errors()).contains("nowhere");
        assertThat(fairlead.command("served", "-c", "dev", "v1/pods").exitCode())
                .isEqualTo(64);
    }

    @Test
    void wideList_saysWhereEachClusterIsReached() {
        var kubectl = new Kubectl(FOLDER.resolve("wide-kubectl"), fairlead.adminKubeconfig());

        assertThat(kubectl.succeed("get", "clusters", "-o", "wide"))
                .matches("""
                    NAME +TYPE +READY +VERSION +APIS +AGE +URL +EPOCH .*
                    dev +Hosted +True .* URL/clusters/dev +\\d+ .*
                    root +Hosted +True .* URL/clusters/root +\\d+ .*
                    """.replace("URL/", Pattern.quote(fairlead.endpoint()) + "/"));
    }

    @Test
    void version_saysWhichServersItIs() {
        String own = fairlead.command("--version").output().strip();
        String product = own.substring(0, own.indexOf(" ("));

        Output version = fairlead.command(
                "version", "--kubeconfig", fairlead.adminKubeconfig().toString());

        assertThat(version.exitCode()).isZero();
        assertThat(version.output())
                .matches(Pattern.quote(own + "\nserver: " + product + " at " + fairlead.endpoint())
                        + " \\(hosted clusters: Kubernetes v1\\.36\\.\\d+\\)\n");
        assertThat(version.errors()).isEmpty();
    }

    @Test
    void typesDiff_ofAFileAndACluster_exitsWithTheVerdict() throws Exception {
        BoundedType widgets = new BoundedType("widgets", "Widget", "example.com", "size");
        Path file = Files.writeString(FOLDER.resolve("widget.yaml"), widgets.definition(5));
        assertThat(fairlead.command("cluster", "create", "typed").exitCode()).isZero();
        assertThat(fairlead.command("types", "diff", "file:" + file, "cluster:typed"))
                .isEqualTo(new Output(
                        4,
                        "",
                        "error: cluster \"typed\": it has no CustomResourceDefinition" + " (expected at least one)\n"));
        var kubectl = new Kubectl(FOLDER.resolve("typed-kubectl"), fairlead.kubeconfigOf("typed"));
        kubectl.succeedWith(widgets.definition(6), "create", "-f", "-");

        Output wider = fairlead.command("types", "diff", "file:" + file, "cluster:typed");
        Output narrower = fairlead.command("types", "diff", "cluster:typed", "file:" + file);

        assertThat(wider.exitCode()).as("%s", wider).isZero();
        assertThat(wider.output()).containsPattern("Widget.example.com +v1 +\\.spec\\.size +maximum +5 +6 +Wider\n");
        assertThat(narrower.exitCode()).as("%s", narrower).isEqualTo(2);
        assertThat(fairlead.command("cluster", "delete", "typed", "--purge").exitCode())
                .isZero();
    }

    @Test
    void create_ofAnExistingCluster_isAnErrorThatNamesIt() {
        Output again = fairlead.command("cluster", "create", "dev");

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.errors()).contains("dev", "exists already");
    }

    @Test
    void deletedCluster_isListedAsRetainedUntilItIsPurged() {
        assertThat(fairlead.command("cluster", "create", "old", "-o", "name").output())
                .isEqualTo("cluster.fairlead.io/old\n");
        assertThat(fairlead.command("cluster", "delete", "old").output())
                .isEqualTo("cluster.fairlead.io/old deleted\n");
        Await.until(
                "old is retained",
                Duration.ofSeconds(20),
                () -> fairlead.command("cluster", "list").output().contains("Retained"));

        Output purged = fairlead.command("cluster", "delete", "old", "--purge", "-o", "json");

        assertThat(purged.output()).contains("\"purged\" : true");
        assertThat(fairlead.command("cluster", "list").output()).doesNotContain("old");
    }

    /** Fairlead's own listeners are an address that no cluster may have. */
    @Test
    void attach_ofWhatCannotBeUsed_endsSoon_saysWhy_andLeavesNothing() throws Exception {
        String kubeconfig = ownKubeconfig("self");
        Instant began = Instant.now();

        Output refused = fairlead.command("cluster", "attach", "self", "--from-kubeconfig", kubeconfig);

        assertThat(refused).isEqualTo(new Output(1, "", """
            waiting for cluster "self", which is registered: %1$s
            error: cluster "self" cannot be used: %1$s
            hint:  nothing stays registered; correct it and try again, or register it as it is with --no-wait
            """.formatted(fairlead.endpoint()
                + ": connecting to what the host \"localhost\" resolves to is"
                + " refused: Fairlead itself listens there")));
        assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(30));
        assertThat(fairlead.command("cluster", "list", "-o", "name").output()).doesNotContain("self");
        assertThat(new Kubectl(FOLDER.resolve("no-secret"), fairlead.adminKubeconfig())
                        .succeed("get", "secrets", "-n", "fairlead-system", "-o", "name"))
                .doesNotContain("cluster-self");
    }

    /** A kubeconfig of Fairlead itself, in the form that an attached cluster's has. */
    private static String ownKubeconfig(String name) throws Exception {
        String admin = Files.readString(fairlead.adminKubeconfig());
        return Files.writeString(
                        FOLDER.resolve(name + ".own"), admin.replaceAll("(https://[^/\"]+)/clusters/root", "$1"))
                .toString();
    }

    @Test
    void purge_ofAnAttachedCluster_changesNothing() throws Exception {
        String kubeconfig = ownKubeconfig("mirror");
        Output attached = fairlead.command("cluster", "attach", "mirror", "--no-wait", "--from-kubeconfig", kubeconfig);
        assertThat(attached.exitCode()).as("%s", attached).isZero();

        assertThat(fairlead.command("cluster", "delete", "mirror", "--purge")).isEqualTo(new Output(1, "", """
            error: cluster "mirror" is attached: it has no data here (expected --purge for a hosted cluster); nothing was changed
            hint:  'fairlead cluster delete mirror' removes its registration; what is in the cluster stays
            """));
        assertThat(fairlead.command("cluster", "list", "-o", "name").output()).contains("mirror\n");
        assertThat(fairlead.command("cluster", "delete", "mirror"))
                .isEqualTo(new Output(0, "cluster.fairlead.io/mirror deleted\n", ""));
    }

    @Test
    void attach_fromAnEmptyKubeconfig_saysThatItHoldsNothing() throws Exception {
        Path empty = Files.writeString(FOLDER.resolve("empty"), "");

        assertThat(fairlead.command("cluster", "attach", "nothing", "--from-kubeconfig", empty.toString()))
                .isEqualTo(new Output(
                        1,
                        "",
                        "error: " + empty
                                + ": there is no current context, nor any other (expected a kubeconfig with"
                                + " clusters, users and contexts)\n"));
    }

    @Test
    void kubeconfig_ofAnotherThanTheDefaultCluster_saysWhoReachesThatOne() {
        assertThat(fairlead.command("kubeconfig", "dev").output()).startsWith("""
            # kubectl proxy, and kubectl before 1.34 with --raw, drop the path of a server's URL and reach cluster "root";
            # a server with --selection-default-cluster none refuses them.
            apiVersion:\
            """);
        assertThat(fairlead.command("kubeconfig", "dev", "--form", "host").output())
                .startsWith("apiVersion:");
        assertThat(fairlead.command("kubeconfig", "root").output()).startsWith("apiVersion:");
    }

    @Test
    void kubeconfig_mergedTwice_leavesWhatWasThere() throws Exception {
        Path file = Files.writeString(FOLDER.resolve("merged"), FOREIGN);

        for (int i = 0; i < 2; i++) {
            Output merged = fairlead.command("kubeconfig", "--all", "--merge", file.toString());
            String told = "merged contexts dev, root into " + file + ", whose current context is home\n";
            assertThat(merged).isEqualTo(new Output(0, told, ""));
        }

        assertThat(Files.readString(file)).contains("# mine", "insecure-skip-tls-verify: no", "token: abc");
        var kubectl = new Kubectl(FOLDER.resolve("merged-kubectl"), file);
        assertThat(kubectl.succeed("config", "current-context")).isEqualTo("home\n");
        assertThat(kubectl.succeed("config", "get-contexts", "-o", "name")).isEqualTo("dev\nhome\nroot\n");
        assertThat(kubectl.succeed("config", "get-users").lines()).hasSize(3);
        assertThat(kubectl.succeed("--context", "dev", "get", "namespaces", "-o", "name"))
                .contains("namespace/default");
    }

    @Test
    void kubeconfig_thatIsBrokenOrReadOnly_staysAsItIs() throws Exception {
        Path broken = Files.writeString(FOLDER.resolve("broken"), "clusters: [");
        Path readOnly = Files.writeString(FOLDER.resolve("read-only"), FOREIGN);
        Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r--------"));

        for (Path file : List.of(broken, readOnly)) {
            String before = Files.readString(file);
            Output refused = fairlead.command("kubeconfig", "dev", "--merge", file.toString());

            assertThat(refused.exitCode()).as("%s", refused).isEqualTo(1);
            assertThat(refused.errors()).contains("error: " + file);
            assertThat(file).hasContent(before);
        }
    }

    @Test
    void kubeconfig_hostForm_namesTheClusterInTheHost() {
        Output printed = fairlead.command("kubeconfig", "dev", "--form", "host");

        assertThat(printed.output()).containsPattern("server: https://dev\\.fairlead\\.example:\\d+\n");
    }

    @Test
    void link_namedKubectlFairlead_isAPlugInOfKubectl() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("plug-in"));
        Files.createSymbolicLink(folder.resolve("kubectl-fairlead"), Checkout.launcher());
        Map<String, String> environment = Map.of(
                "PATH",
                folder + ":" + System.getenv("PATH"),
                "FAIRLEAD_KUBECONFIG",
                fairlead.adminKubeconfig().toString());

        assertThat(kubectl(folder, environment, "fairlead", "cluster", "list").output())
                .contains("dev", "root");
        assertThat(kubectl(folder, environment, "fairlead", "--help").output()).contains("Usage: kubectl fairlead");
        assertThat(kubectl(folder, environment, "fairlead", "nonsense").exitCode())
                .isEqualTo(64);
    }

    /** Each command is a process of its own, so that nothing but the lock tells the second one what there was. */
    @Test
    void typesVerify_findsTheFieldThatDrifted() throws Exception {
        BoundedType locks = new BoundedType("locks", "Lock", "types.example.com", "gates");
        var kubectl = new Kubectl(FOLDER.resolve("kubectl-lock"), fairlead.kubeconfigOf("dev"));
        kubectl.succeedWith(locks.definition(4), "apply", "-f", "-");
        Output locked = fairlead.command("types", "lock", "-c", "dev");
        assertThat(locked.exitCode()).as("%s", locked).isZero();
        Path lock = Files.writeString(FOLDER.resolve("types.lock"), locked.output());

        Output same = fairlead.command("types", "verify", "--lock", lock.toString());
        assertThat(same.exitCode()).as("%s", same).isZero();
        kubectl.succeedWith(locks.definition(5), "apply", "-f", "-");
        Output drifted = fairlead.command("types", "verify", "--lock", lock.toString());

        assertThat(drifted.exitCode()).as("%s", drifted).isEqualTo(2);
        assertThat(drifted.output())
                .containsPattern(
                        "cluster dev +Lock\\.types\\.example\\.com +v1 +\\.spec\\.gates +maximum +4 +5 +Different");
    }

    @Test
    void doctor_ofAHealthyServer_findsNoError() {
        Output report = fairlead.command("doctor");

        assertThat(report.exitCode()).as("%s", report).isZero();
        assertThat(report.output().lines())
                .allMatch(line -> line.matches("(ok       |warning  )\\S.*"))
                .anyMatch(line -> line.startsWith("ok       server: certificate is valid until 20"))
                .anyMatch(line -> line.matches("ok       server: clock differs by [0-4] s.*"))
                .anyMatch(line -> line.startsWith("ok       server: rights allow you to register clusters"))
                .anyMatch(line -> line.startsWith("ok       cluster dev is Ready"));
    }

    @Test
    void doctor_ofAnUnreachableServer_saysWhatToDo() throws Exception {
        Path kubeconfig = FOLDER.resolve("unreachable");
        Files.writeString(
                kubeconfig, Files.readString(fairlead.adminKubeconfig()).replaceAll("localhost:\\d+", "localhost:1"));

        Output report = fairlead.command("doctor", "--kubeconfig", kubeconfig.toString());

        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.output()).matches("""
            ok +kubeconfig: certificate is valid until .*Z
            error +server https://localhost:1 cannot be connected to -> .*fairlead serve.*
            """);
    }

    @Test
    void doctor_ofAClusterThatIsDown_namesItAndSaysWhy() {
        String cluster = """
            apiVersion: v1
            kind: Secret
            metadata: {name: down, namespace: fairlead-system}
            stringData: {token: abc}
            ---
            apiVersion: fairlead.io/v1alpha1
            kind: Cluster
            metadata: {name: down}
            spec: {attached: {endpoints: ["https://127.0.0.1:1"], credentialSecretRef: {name: down}}}
            """;
        var kubectl = new Kubectl(FOLDER.resolve("kubectl-down"), fairlead.adminKubeconfig());
        kubectl.succeedWith(cluster, "create", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Reachable=False", "cluster/down", "--timeout=30s");
        try {
            Output report = fairlead.command("doctor", "-c", "down", "-o", "json");

            assertThat(report.exitCode()).isEqualTo(1);
            assertThat(report.output())
                    .contains("\"level\" : \"error\"", "is not Ready: ConnectionFailed", "describe cluster down")
                    .contains("token of Secret down")
                    .doesNotContain("cluster dev");
        } finally {
            kubectl.succeed("delete", "cluster/down");
        }
    }

    @Test
    void configCheck_warnsOfVariablesOfNoKey_andReadsTheFileAlone() throws Exception {
        Path file = Files.writeString(
                FOLDER.resolve("valid.yaml"), "apiVersion: config.fairlead.io/v1alpha1\nkind: FairleadConfiguration\n");

        Output checked = Output.of(
                FOLDER,
                Map.of("FAIRLEAD_SECURE_PROT", "7000", "FAIRLEAD_SECURE_PORT", "x"),
                "",
                TIMEOUT,
                List.of(Checkout.launcher().toString(), "config", "check", file.toString()));

        assertThat(checked.exitCode()).isZero();
        assertThat(checked.output()).isEqualTo(file + " is valid\n");
        assertThat(checked.errors())
                .isEqualTo("warning: FAIRLEAD_SECURE_PROT is no variable of Fairlead, and is ignored ('fairlead config"
                        + " reference' lists those of keys)\n");
    }

    @Test
    void jvmThatDoesNotStart_isTheLaunchersFailure() {
        Output failed = Output.of(
                FOLDER,
                Map.of("FAIRLEAD_JAVA_OPTS", "-XX:+NoSuchOption"),
                "",
                TIMEOUT,
                List.of(Checkout.launcher().toString(), "version"));

        assertThat(failed.exitCode()).isEqualTo(70);
        assertThat(failed.errors()).contains("-XX:+NoSuchOption");
    }

    private static Output kubectl(Path folder, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(RealServers.get().kubectl()));
        command.addAll(List.of(arguments));
        return Output.of(folder, environment, "", TIMEOUT, command);
    }
}
