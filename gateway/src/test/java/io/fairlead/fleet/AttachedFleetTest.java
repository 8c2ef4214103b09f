package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsServer;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.testkit.HttpServers;
import io.fairlead.testkit.LogLines;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The conditions of an attached cluster say what is wrong with that cluster alone. */
final class AttachedFleetTest extends FleetFixture {
    @ParameterizedTest
    @CsvSource({"401, CredentialRefused", "404, NotKubernetes", "403, CredentialForbidden", "500, UnexpectedAnswer"})
    void attached_answeringOtherwise_isNotReadyAndSaysWhy(int code, String reason) throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, code);
        try {
            JsonNode dev = condition("dev", "Ready");
            register("prod", attached(server.getAddress().getPort(), identity));

            awaitReady("prod", "False", reason);
            assertThat(condition("prod", "Ready").path("message").asString("")).contains(String.valueOf(code));
            assertThat(condition("dev", "Ready")).isEqualTo(dev);
        } finally {
            HttpServers.stop(server);
        }
    }

    @Test
    void attached_withAnotherCertificate_isNotReadyAndSaysSo() throws Exception {
        HttpsServer server = server(identity(), 200);
        try {
            register("prod", attached(server.getAddress().getPort(), identity()));

            awaitReady("prod", "False", "CertificateRefused");
        } finally {
            HttpServers.stop(server);
        }
    }

    @Test
    void attached_thatIsDown_isNotReadyNamingTheAddress() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 200);
        int port = server.getAddress().getPort();
        HttpServers.stop(server);

        register("prod", attached(port, identity));

        awaitReady("prod", "False", "ConnectionFailed");
        assertThat(condition("prod", "Ready").path("message").asString("")).contains(String.valueOf(port));
    }

    @Test
    void attached_thatNeverAnswers_delaysNoOtherCluster() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 5; i++) {
                register("mute" + i, attached(mute.getLocalPort(), identity()));
            }
            register("later", "{hosted: {}}");

            awaitReady("later", "True", "Ready");
            assertThat(condition("mute0", "Ready").path("status").asString("")).isNotEqualTo("True");
        }
    }

    @Test
    void attached_withoutItsSecret_waitsForIt() throws Exception {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");
        awaitReady("prod", "False", "SecretNotFound");
        assertThat(condition("prod", "Ready").path("message").asString("")).contains("fairlead-system/later");

        root.secret("later", "token", "t0ken");

        awaitReady("prod", "False", "ConnectionFailed");
    }

    @Test
    void attached_withATokenThatNoHeaderHolds_isNotReadyAtOnce_namingTheSecretAndTheKey() throws Exception {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");

        root.secret("later", "token", "admin\ntoken");

        awaitReady("prod", "False", "InvalidCredential");
        assertThat(condition("prod", "Ready").path("message").asString(""))
                .contains("secret fairlead-system/later, key token", "line break", "expected")
                .doesNotContain("admin");
        assertThat(fleet.lookup(new ClusterName("prod"))).isInstanceOf(ClusterEntry.Unready.class);
    }

    @Test
    void attached_whoseCertificateBecomesAnothersThanTheKey_isNotReadyAtOnce() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        try {
            root.create(RootCluster.SECRETS, certificate("client", identity, identity));
            register("prod", attached(server.getAddress().getPort(), identity).replace("name: token", "name: client"));
            awaitReady("prod", "False", "CredentialRefused");

            root.send(ADMIN, "PATCH", RootCluster.SECRETS + "/client", certificate("client", identity, identity()));

            awaitReady("prod", "False", "InvalidCredential");
            assertThat(condition("prod", "Ready").path("message").asString(""))
                    .contains("secret fairlead-system/client, key tls.key", "not the key of the certificate");
        } finally {
            HttpServers.stop(server);
        }
    }

    @Test
    void table_saysWhyAClusterIsNotReady_andLeavesOutWhatIsNotKnown() {
        register("prod", "{attached: {endpoints: ['https://127.0.0.1:1'], credentialSecretRef: {name: later}}}");
        awaitReady("prod", "False", "SecretNotFound");

        JsonNode table = root.table(CLUSTERS + "/prod");

        assertThat(table.path("columnDefinitions").values())
                .extracting(column -> column.path("name").asString("")
                        + (column.path("priority").asInt(0) == 0 ? "" : " (wide)"))
                .containsExactly(
                        "Name",
                        "Type",
                        "Ready",
                        "Version",
                        "APIs",
                        "Age",
                        "URL (wide)",
                        "Epoch (wide)",
                        "Conflict (wide)",
                        "Available (wide)",
                        "Reason (wide)");
        JsonNode cells = table.at("/rows/0/cells");
        assertThat(cells.get(2).asString("")).isEqualTo("False");
        assertThat(cells.get(4).isNull()).isTrue();
        assertThat(cells.get(9).asString("")).isEqualTo("False");
        assertThat(cells.get(10).asString("")).isEqualTo("SecretNotFound");
    }

    @Test
    void changesOfState_areLogged() throws Exception {
        String version =
                "version=" + root.cluster("dev").path("status").path("version").asString("");
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        try (LogLines lines = new LogLines(FleetLog.class)) {
            register("later", "{hosted: {}}");
            awaitReady("later", "True", "Ready");
            register("prod", attached(server.getAddress().getPort(), identity));
            awaitReady("prod", "False", "CredentialRefused");
            delete("later");

            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("=later"))
                    .containsExactly(
                            "INFO Cluster registered cluster=later type=Hosted",
                            "INFO Cluster is Ready cluster=later " + version,
                            "INFO Cluster removed cluster=later");
            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("=prod"))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .isEqualTo("INFO Cluster registered cluster=prod type=Attached"
                                            + " url=https://127.0.0.1:"
                                            + server.getAddress().getPort()),
                            line -> assertThat(line)
                                    .startsWith("WARN Cluster is not Ready cluster=prod reason=CredentialRefused")
                                    .doesNotContain("t0ken"));
        } finally {
            HttpServers.stop(server);
        }
    }

    @Test
    void condition_ofTheSameStatus_keepsItsTransitionTime() {
        JsonNode before = condition("dev", "Ready");

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {displayName: Development}}");

        eventually(
                "the change is observed",
                () -> condition("dev", "Ready").path("observedGeneration").asLong(0)
                        > before.path("observedGeneration").asLong(0));
        assertThat(condition("dev", "Ready").path("lastTransitionTime")).isEqualTo(before.path("lastTransitionTime"));
    }
}
