package io.fairlead.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code cluster attach} stores, and that it leaves nothing behind when a part of it is refused. */
final class ClusterAttachCommandTest extends ClusterAttachFixture {
    @Test
    void secret_belongsToTheClusterThatWasMade() {
        assertThat(attach()).as("%s", err).isZero();

        assertThat(requests.getLast())
                .startsWith("PATCH " + SECRET + "/cluster-prod ")
                .contains("\"ownerReferences\":[{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\","
                        + "\"name\":\"prod\",\"uid\":\"uid-of-prod\"}]");
    }

    @Test
    void whatACluster_isSelectedByAndWaitsFor_isThereFromTheFirstMomentOn() {
        assertThat(attach(
                        "--label",
                        "stage=production",
                        "--label",
                        "zone=",
                        "--require-api-service",
                        "v1.a.example.com",
                        "--require-api-service",
                        "v1.b.example.com",
                        "--gate-timeout",
                        "2m"))
                .as("%s", err)
                .isZero();

        assertThat(requests)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER + " ")
                        .contains(
                                "\"labels\":{\"stage\":\"production\",\"zone\":\"\"}",
                                "\"requiredAPIServices\":[\"v1.a.example.com\",\"v1.b.example.com\"]",
                                "\"gateTimeout\":\"2m\""));
    }

    @Test
    void secretThatCannotBeOwned_leavesNothingBehind() {
        patchStatus = 403;

        assertThat(attach()).isNotZero();

        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .satisfiesExactly(
                        last -> assertThat(last).startsWith("DELETE " + CLUSTER + "/prod"),
                        last -> assertThat(last).startsWith("DELETE " + SECRET + "/cluster-prod"));
    }

    @Test
    void crdRuntime_withTheClustersCredential_isNamed() throws Exception {
        Path ca = folder.resolve("ca.pem");
        Files.writeString(ca, certificate.getCertificatePEM());

        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-server",
                        "https://10.0.0.3",
                        "--crd-runtime-certificate-authority",
                        ca.toString(),
                        "--crd-runtime-tls-server-name",
                        "crds.example"))
                .as("%s", err)
                .isZero();

        assertThat(requests)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER + " ")
                        .contains(
                                "\"crdRuntime\":{\"endpoints\":[\"https://10.0.0.2\",\"https://10.0.0.3\"],\"caBundle\":\""
                                        + base64(certificate.getCertificatePEM())
                                        + "\",\"tlsServerName\":\"crds.example\"}"))
                .noneMatch(request -> request.contains("crd-runtime-prod"));
    }

    @Test
    void crdRuntime_withACredentialOfItsOwn_hasASecretOfItsOwn_thatGoesWithTheCluster() {
        assertThat(attach(
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .as("%s", err)
                .isZero();

        String url = "https://127.0.0.1:" + server.getAddress().getPort();
        assertThat(requests)
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + SECRET + " ")
                        .contains("\"name\":\"crd-runtime-prod\"", "\"data\":{\"token\":\"" + base64("t") + "\"}"))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER + " ")
                        .contains(
                                "\"crdRuntime\":{\"endpoints\":[\"" + url + "\"],\"caBundle\":\"",
                                "\"credentialSecretRef\":{\"name\":\"crd-runtime-prod\"}"))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("PATCH " + SECRET + "/crd-runtime-prod ")
                        .contains("uid-of-prod"));
    }

    @Test
    void crdRuntime_whoseSecretCannotBeOwned_leavesNothingBehind() {
        patchStatus = 403;

        assertThat(attach(
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .isNotZero();

        assertThat(requests.subList(requests.size() - 3, requests.size()))
                .containsExactly(
                        "DELETE " + CLUSTER + "/prod ",
                        "DELETE " + SECRET + "/crd-runtime-prod ",
                        "DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void crdRuntime_thatIsNotNamed_orNamedTwice_isWrongUsage() {
        String kubeconfig = folder.resolve("kubeconfig").toString();

        assertThat(attach("--crd-runtime-tls-server-name", "crds.example")).isEqualTo(64);
        assertThat(err.toString()).contains("--crd-runtime-server URL is missing");
        assertThat(attach("--crd-runtime-from-kubeconfig", kubeconfig, "--crd-runtime-server", "https://10.0.0.2"))
                .isEqualTo(64);
        assertThat(err.toString()).contains("--crd-runtime-from-kubeconfig says where");
        assertThat(requests).isEmpty();
    }

    @Test
    void crdRuntime_whoseFileCannotBeUsed_isAnErrorThatNamesIt() throws Exception {
        Path none = folder.resolve("none.pem");

        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-certificate-authority",
                        none.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(none + ": there is no such file");

        Files.writeString(none, "no certificate");
        assertThat(attach(
                        "--crd-runtime-server",
                        "https://10.0.0.2",
                        "--crd-runtime-certificate-authority",
                        none.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(none + ": holds no certificate");
        assertThat(requests).isEmpty();
    }

    @Test
    void clusterThatAnotherRegistrationHas_staysRegistered_andTheConflictIsToldAtOnce() {
        conditions = """
            [{"type":"Reachable","status":"True","reason":"Reachable","message":"it answers"},
            {"type":"TypesSynced","status":"Unknown","reason":"Withheld","message":"its types are not followed"},
            {"type":"Conflict","status":"True","reason":"ClusterIdentityConflict","message":"\\"home\\" stays"},
            {"type":"Ready","status":"False","reason":"ClusterIdentityConflict","message":"\\"home\\" stays"}]\
            """;
        String kubeconfig = folder.resolve("kubeconfig").toString();

        assertThat(execute("cluster", "attach", "prod", "--kubeconfig", kubeconfig, "--from-kubeconfig", kubeconfig))
                .isEqualTo(1);

        assertThat(err.toString()).startsWith("""
            waiting for cluster "prod", which is registered: "home" stays
            error: cluster "prod" is not Ready: "home" stays
            """).contains("it stays registered");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CredentialRefused", "NotAFrontProxy"})
    void clusterThatWaitingDoesNotMend_isTakenBack_andTheReasonToldAtOnce(String reason) {
        conditions = """
            [{"type":"Reachable","status":"False","reason":"REASON","message":"it refuses the credential"},
            {"type":"Ready","status":"False","reason":"REASON","message":"it refuses the credential"}]\
            """.replace("REASON", reason);
        String kubeconfig = folder.resolve("kubeconfig").toString();

        assertThat(execute("cluster", "attach", "prod", "--kubeconfig", kubeconfig, "--from-kubeconfig", kubeconfig))
                .isEqualTo(1);

        assertThat(err).hasToString("""
            waiting for cluster "prod", which is registered: it refuses the credential
            error: cluster "prod" cannot be used: it refuses the credential
            hint:  nothing stays registered; correct it and try again, or register it as it is with --no-wait
            """);
        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .containsExactly("DELETE " + CLUSTER + "/prod ", "DELETE " + SECRET + "/cluster-prod ");
    }

    /** What cannot be known is not taken for "no". */
    @Test
    void attach_whereItIsNotKnownWhoUsesTheSecret_leavesIt() {
        secretThere = "cluster-prod";
        listStatus = 503;

        assertThat(attach()).isEqualTo(1);

        assertThat(requests).noneMatch(request -> request.startsWith("DELETE "));
    }

    @Test
    void attach_byACallerWhoMayNotListClusters_replacesALeftOverSecret() {
        secretThere = "cluster-prod";
        listStatus = 403;

        assertThat(attach()).as("%s", err).isZero();

        assertThat(requests).contains("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void cluster_thatIsReady_hasItsUidNoted() {
        assertThat(attach("--timeout", "5")).as("%s", err).isZero();

        assertThat(requests.getLast())
                .isEqualTo("PATCH " + CLUSTER
                        + "/prod {\"metadata\":{\"annotations\":{\"fairlead.io/kube-system-uid\":\"uid\"}}}");
    }

    @Test
    void passwordOfAProxy_isToldNowhere() throws Exception {
        Path proxied = folder.resolve("proxied");
        Files.writeString(
                proxied,
                Files.readString(folder.resolve("kubeconfig"))
                        .replace("{server:", "{proxy-url: 'http://jane:pa55word@10.0.0.9:3128', server:"));

        for (String[] more : new String[][] {
            {"--from-kubeconfig", proxied.toString()},
            {"--from-kubeconfig", proxied.toString(), "--create-service-account"},
            {"--from-kubeconfig", proxied.toString(), "--replace"},
            {"--crd-runtime-from-kubeconfig", proxied.toString()}
        }) {
            assertThat(attach(more)).isEqualTo(1);
        }

        assertThat(err.toString())
                .contains(
                        "cluster field \"proxy-url\" (expected http://host[:port] or https://host[:port], without user"
                                + " and password)")
                .doesNotContain("jane", "pa55word");
        assertThat(requests).isEmpty();
    }

    @Test
    void attach_whoseSecretAnotherClusterUses_isRefused_andLeavesIt() {
        secretThere = "cluster-prod";
        leftOver = trial("other", "cluster-prod");

        assertThat(attach()).isEqualTo(1);

        assertThat(err.toString())
                .startsWith("error: Secret \"cluster-prod\" of namespace fairlead-system, in which the credential of"
                        + " cluster \"prod\" is kept, is used by cluster \"other\"\n"
                        + "hint:  nothing was changed; have cluster \"other\" name another Secret first");
        assertThat(requests).noneMatch(request -> request.startsWith("DELETE "));
    }

    @Test
    void attach_besideARegistrationThatThereIsNot_isRefused_beforeAnythingIsStored() {
        assertThat(attach("--alias-of", "nope")).isEqualTo(1);

        assertThat(err.toString()).isEqualTo("""
            error: --alias-of "nope" is not registered (expected a registration of the same cluster)
            hint:  'fairlead cluster list' lists the clusters that there are
            """);
        assertThat(requests).allMatch(request -> request.startsWith("GET "));
    }

    @Test
    void attach_besideAnotherRegistration_namesIt() {
        assertThat(attach("--alias-of", "other")).as("%s", err).isZero();

        assertThat(requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("POST " + CLUSTER).contains("\"aliasOf\":\"other\""));
    }

    @Test
    void create_ofAnIdThatIsTaken_saysWhatToDo() {
        registered = "{\"hosted\":{}}";

        assertThat(execute("cluster", "create", "prod", "--no-wait", "--kubeconfig", kubeconfig()))
                .isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo(
                        "error: cluster \"prod\" exists already\nhint:  choose another id, or remove it with 'fairlead"
                                + " cluster delete prod'\n");
    }

    /** Which would create it again, but without its data. */
    @Test
    void purge_ofAClusterThatAFileDeclares_changesNothing() {
        registered = "{\"hosted\":{}}";
        annotations = "{\"fairlead.io/source-file\":\"prod.yaml\"}";

        assertThat(execute("cluster", "delete", "prod", "--purge", "--kubeconfig", kubeconfig()))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains("is declared by the file prod.yaml of --clusters-dir", "nothing was changed");
        assertThat(requests).hasSize(1);
    }

    @Test
    void import_ofAnIdThatIsTaken_saysWhatToDo_andSendsNothing() throws Exception {
        registered = "{\"hosted\":{}}";
        Path archive = Files.writeString(folder.resolve("archive"), "{\"format\":\"fairlead-archive\"}\n");

        assertThat(execute("cluster", "import", "prod", "-f", archive.toString(), "--kubeconfig", kubeconfig()))
                .isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo(
                        "error: cluster \"prod\" exists already\nhint:  choose another id, or remove it with its data"
                                + " by 'fairlead cluster delete prod --purge'\n");
        assertThat(requests).hasSize(1);
    }

    @Test
    void import_ofAFileThatIsNoArchive_saysSo_andSendsNothing() throws Exception {
        Path readme = Files.writeString(folder.resolve("README.md"), "# Fairlead\n\nOne endpoint.\n");

        assertThat(execute("cluster", "import", "prod", "-f", readme.toString(), "--kubeconfig", kubeconfig()))
                .isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("error: " + readme + " is no archive (expected what 'fairlead cluster export' wrote)\n");
        assertThat(requests).noneMatch(request -> request.contains("clusterimports"));
    }

    @Test
    void attach_ofAnIdThatIsTaken_offersNothingThatCannotWork() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString()).contains("exists already\nhint:  choose another id, give it another credential");

        conditions = "[{\"type\":\"Ready\",\"status\":\"False\",\"observedGeneration\":OBSERVED}]";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString())
                .endsWith("error: cluster \"prod\" exists already, and is not ready\nhint:  remove it with 'fairlead"
                        + " cluster delete prod' and attach it again, or choose another id\n");

        registered = "{\"hosted\":{}}";
        assertThat(attach()).isEqualTo(1);
        assertThat(err.toString())
                .endsWith("error: cluster \"prod\" exists already, and is hosted\nhint:  choose another id\n");
        assertThat(requests).allMatch(request -> request.startsWith("GET "));
    }
}
