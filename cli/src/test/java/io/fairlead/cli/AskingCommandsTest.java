package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FakeGateway.Printed;
import io.fairlead.cli.server.Paths;
import io.fairlead.model.ClusterName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people read of a server's answers. */
class AskingCommandsTest {
    private static final String SERVED = Paths.FLEET + "/prod/served";
    private static final String DIGEST = "v1:sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway(folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void served_saysHowOldItsEvidenceIs() {
        gateway.answer(SERVED, answer("SERVED", "\"current\": true", "\"route\": \"crd-runtime\""));

        Printed printed = gateway.run("served", "-c", "prod", "example.com/v1/boats");

        assertThat(printed.code()).isZero();
        assertThat(printed.out())
                .startsWith("SERVED, route crd-runtime (as of resourceVersion 123, 3h ago)\n")
                .contains("CRD", "boats.example.com");
        assertThat(printed.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "current": false, "unheardSeconds": 200 | nothing is known yet of what cluster "prod" serves for 3m20s
        "current": false                        | what is known of what cluster "prod" serves is in doubt
        """)
    void served_byOldEvidence_warns(String age, String warning) {
        gateway.answer(SERVED, answer("ABSENT", age, "\"route\": \"base-handler\""));

        Printed printed = gateway.run("served", "-c", "prod", "example.com/v1/boats");

        assertThat(printed.code()).isEqualTo(1);
        assertThat(printed.err())
                .isEqualTo("warning: " + warning
                        + ", so that the answer may be out of date ('fairlead doctor -c prod' says why)\n");
    }

    @Test
    void refusalInTheRootCluster_namesIt() {
        String path = "/clusters/root/apis/fairlead.io/v1alpha1/clusters/dev";
        gateway.answer(path, "{\"message\": \"ann cannot get resource \\\"clusters\\\" at the cluster scope\"}");
        gateway.code(path, 403);

        Printed printed = gateway.run("cluster", "delete", "dev");

        assertThat(printed.code()).isEqualTo(1);
        assertThat(printed.err())
                .isEqualTo("error: ann cannot get resource \"clusters\" at the cluster scope (in cluster root)\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        NOT_SYNCED         | its types are not listed yet
        LOST               | the watch of its types is lost
        RESOURCES_UNLISTED | its API server serves the group/version, and does not say with which resources
        """)
    void served_thatIsUnknown_saysWhy(String reason, String words) {
        gateway.answer(SERVED, answer("UNKNOWN", "\"current\": false", "\"reason\": \"" + reason + "\""));

        Printed printed = gateway.run("served", "-c", "prod", "example.com/v1/boats");

        assertThat(printed.code()).isEqualTo(3);
        assertThat(printed.out()).startsWith("UNKNOWN: " + words + " (as of resourceVersion 123, 3h ago)\n");
        assertThat(printed.err()).isEmpty();
    }

    @Test
    void served_asTheApiServerSays_saysSo() {
        gateway.answer(
                SERVED, answer("SERVED", "\"current\": true", "\"route\": \"base-handler\", \"askedServer\": true"));

        assertThat(gateway.run("served", "-c", "prod", "core/v1/pods").out())
                .startsWith("SERVED, route base-handler (as its API server says now)\n");
    }

    @Test
    void matrix_shortensDigests() {
        gateway.answer("/fairlead/v1/types", """
            {"types": [{"group": "example.com", "kind": "Boat", "definitions": [
              {"api": "%s", "versions": [], "clusters": [{"name": "prod"}]}]}], "unknown": []}
            """.formatted(DIGEST));

        assertThat(gateway.run("types", "matrix").out())
                .startsWith("TYPE               API                       IMPLEMENTATION   CLUSTERS   DIFFERENCE\n"
                        + "Boat.example.com   v1:sha256:0123456789ab…   Unknown          prod");
        assertThat(gateway.run("types", "matrix", "-o", "json").out()).contains(DIGEST);
    }

    @Test
    void version_ofAServer_saysWhichWasAsked() {
        Printed printed = gateway.run("version");

        assertThat(printed.out().lines())
                .last()
                .isEqualTo("server: fairlead 1.2.3 at " + gateway.url() + " (hosted clusters: Kubernetes v1.36.3)");
        assertThat(printed.err()).isEmpty();
    }

    @Test
    void merge_saysWhatItDid() throws Exception {
        gateway.answer(Paths.FLEET, "{\"clusters\": [{\"name\": \"dev\"}, {\"name\": \"root\"}]}");
        Path file = folder.resolve("mine");

        Printed first = gateway.run("kubeconfig", "--all", "--merge", file.toString());
        Printed names = gateway.run("kubeconfig", "--merge", file.toString(), "-o", "name");

        assertThat(first)
                .isEqualTo(new Printed(
                        0, "merged contexts dev, root into " + file + ", whose current context is dev\n", ""));
        assertThat(names.out()).isEqualTo("dev\nroot\n");
        assertThat(Files.readString(file)).contains("current-context: dev");
    }

    @Test
    void kubeconfig_ofACallerWhoMayEnterNoCluster_isNotPrintedAndNotMerged() {
        gateway.answer(Paths.FLEET, "{\"clusters\": []}");
        Path file = folder.resolve("mine");
        String none = noClusters();

        assertThat(gateway.run("kubeconfig", "--all"))
                .isEqualTo(new Printed(0, "", none + "No kubeconfig was printed.\n"));
        assertThat(gateway.run("kubeconfig", "-o", "json").out()).isEmpty();
        assertThat(gateway.run("kubeconfig", "--merge", file.toString()))
                .isEqualTo(new Printed(0, "", none + file + " was not changed.\n"));
        assertThat(file).doesNotExist();
    }

    @Test
    void list_withoutClusters_saysSo() {
        gateway.answer(Paths.FLEET, "{\"clusters\": []}");

        assertThat(gateway.run("cluster", "list").err()).isEqualTo(noClusters());
        assertThat(gateway.run("cluster", "list", "-o", "json").out()).contains("\"clusters\"");
    }

    @Test
    void digest_ofAClusterThatIsNotRegistered_namesItOnce() {
        gateway.answer(
                Paths.definitions(new ClusterName("nope")),
                "{\"message\": \"cluster \\\"nope\\\" is not registered\"}");
        gateway.code(Paths.definitions(new ClusterName("nope")), 404);

        assertThat(gateway.run("types", "digest", "cluster:nope").err())
                .isEqualTo("error: cluster \"nope\" is not registered\n");
    }

    @Test
    void matrix_withoutTypes_saysSo() {
        gateway.answer("/fairlead/v1/types", "{\"types\": [], \"unknown\": []}");

        assertThat(gateway.run("types", "matrix", "boats.example.com").err())
                .isEqualTo("No types found: no cluster that you may enter defines boats.example.com (expected the kind"
                        + " as its definition spells it, as Database.example.com, not the plural).\n");
        assertThat(gateway.run("types", "matrix").err()).startsWith("No types found: ");
    }

    @Test
    void deletion_ofAHostedCluster_saysThatItsDataStay() {
        String hosted = "{\"metadata\": {\"name\": \"dev\"}, \"spec\": {\"hosted\": {\"deletionPolicy\": \"%s\"}}}";
        String stay = "its data stay: 'fairlead cluster create dev' serves them again, 'fairlead cluster delete dev"
                + " --purge' deletes them\n";

        gateway.answer(Paths.cluster(new ClusterName("dev")), hosted.formatted("Retain"));
        assertThat(gateway.run("cluster", "delete", "dev").err()).isEqualTo(stay);
        gateway.answer(Paths.cluster(new ClusterName("dev")), hosted.formatted("Delete"));
        assertThat(gateway.run("cluster", "delete", "dev").err()).isEmpty();
    }

    @Test
    void deletion_ofAClusterThatIsNotRegistered_namesPurge() {
        assertThat(gateway.run("cluster", "delete", "dev").err())
                .startsWith("error: none\nhint:  'fairlead cluster list' lists the clusters; ")
                .contains("'fairlead cluster delete dev --purge' deletes the data that were kept");
    }

    @Test
    void creation_ofAClusterWhoseDataWereKept_saysSo() {
        gateway.answer(Paths.CLUSTERS, "{\"metadata\": {\"name\": \"dev\"}}");
        gateway.answer(Paths.FLEET + "/dev", "{\"name\": \"dev\", \"retained\": true}");

        assertThat(gateway.run("cluster", "create", "dev", "--no-wait").out())
                .isEqualTo("cluster.fairlead.io/dev created, with the data of before that were kept; kubectl reaches it"
                        + " through " + gateway.url() + "/clusters/dev\n");
    }

    @Test
    void attach_contextOfTheOtherKubeconfig_namesFromContext() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: o, cluster: {server: 'https://127.0.0.1:1'}}]
            users: [{name: o, user: {token: t}}]
            contexts: [{name: theirs, context: {cluster: o, user: o}}]
            current-context: theirs
            """);

        Printed printed =
                gateway.run("cluster", "attach", "a", "--from-kubeconfig", other.toString(), "--context", "theirs");

        assertThat(printed.err())
                .contains("context \"theirs\" does not exist", "hint:  --context is a context of the Fairlead server")
                .contains("--from-context names");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        certificate-authority-data: eA== |                              | certificate-authority-data: no PEM block "CERTIFICATE"
                                         | client-certificate-data: eA== | client-certificate-data has no client-key-data (expected both
        """)
    void attach_kubeconfigWhosePemCannotBeUsed_namesTheFieldBeforeAnythingIsSent(
            @Nullable String cluster, @Nullable String user, String fault) throws Exception {
        Path other = Files.writeString(folder.resolve("other"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: o, cluster: {server: 'https://127.0.0.1:1'%s}}]
            users: [{name: o, user: {%s}}]
            contexts: [{name: o, context: {cluster: o, user: o}}]
            current-context: o
            """.formatted(
                        cluster == null ? "" : ", " + cluster, user == null ? "token: t" : user));

        assertThat(gateway.run("cluster", "attach", "a", "--from-kubeconfig", other.toString())
                        .err())
                .startsWith("error: " + other + ": " + fault);
    }

    @Test
    void attach_printRbac_inAnotherForm_isWrongUsage() {
        assertThat(gateway.run("cluster", "attach", "a", "--print-rbac", "-o", "json")
                        .err())
                .startsWith("error: --print-rbac prints manifests in YAML (expected no other --output beside it)\n");
        assertThat(gateway.run("cluster", "attach", "a", "--print-rbac", "-o", "yaml")
                        .code())
                .isZero();
    }

    @Test
    void merge_intoAFileThatCannotBeLocked_saysWhatToDo() throws Exception {
        gateway.answer(Paths.FLEET, "{\"clusters\": [{\"name\": \"dev\"}]}");
        Path file = folder.resolve("mine");
        Path lock = Files.createFile(folder.resolve("mine.lock"));

        assertThat(gateway.run("kubeconfig", "--merge", file.toString()).err())
                .isEqualTo("error: " + file + ": another program is changing it (" + lock + " exists); nothing was"
                        + " changed. If no program is, it was left over: remove " + lock + "\n");
        assertThat(gateway.run(
                                "kubeconfig",
                                "--merge",
                                folder.resolve("gone/mine").toString())
                        .err())
                .contains("mine.lock: this lock of the kubeconfig cannot be made: does its folder exist");
    }

    private String noClusters() {
        return "No clusters found: you may enter none of " + gateway.url() + "; an administrator binds the verb"
                + " \"access\" on clusters.fairlead.io/NAME to you in cluster root\n";
    }

    @Test
    void deletion_saysWhatTheServerWarnsOf() {
        gateway.answer(Paths.cluster(new ClusterName("dev")), "{\"metadata\": {\"name\": \"dev\"}}");
        gateway.warn("DELETE", "299 - \"cluster \\\"dev\\\" comes back \\\\o/\"");

        Printed printed = gateway.run("cluster", "delete", "dev");

        assertThat(printed)
                .isEqualTo(new Printed(
                        0, "cluster.fairlead.io/dev deleted\n", "warning: cluster \"dev\" comes back \\o/\n"));
    }

    private static String answer(String answer, String age, String more) {
        Instant heard = Instant.now().minus(3, ChronoUnit.HOURS).minus(5, ChronoUnit.SECONDS);
        return """
            {"answer": "%s", "count": 1, "holders": [{"type": "CRD", "name": "boats.example.com", "uid": "u"}],
             "asOf": {"epoch": 1, "resourceVersion": "123", "time": "%s", %s}, %s}
            """.formatted(answer, heard, age, more);
    }
}
