package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.SECRETS;
import static io.fairlead.fleet.root.RootCluster.base64;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.Upstream;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The servers that a registration names for what CRDs serve are reached with the cluster's credential, or one of their own, for as
 * long as it names them. */
final class CrdRuntimeTest extends CrdRuntimeFixture {
    @Test
    void named_isReachedWithTheClustersCaCredentialAndImpersonation() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        ClusterEntry.Attached prod = attached();
        ClusterEntry.Backend runtime = runtime();

        assertThat(runtime.endpoints()).containsExactly(URI.create(url(server)));
        assertThat(runtime.identity()).isEqualTo(prod.base().identity());
        assertThat(prod.base().endpoints()).containsExactly(URI.create(url(base)));
        assertThat(ask(runtime)).isEqualTo("200 Bearer t0ken");
    }

    @Test
    void caAndServerNameOfItsOwn_areUsedInsteadOfTheClusters() {
        register(
                "tlsServerName: base.example, caBundle: " + base64(baseIdentity.getCertificatePEM()),
                "{endpoints: ['" + url(server) + "'], caBundle: " + base64(identity.getCertificatePEM()) + "}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        patch("{crdRuntime: {tlsServerName: other.example}}");

        eventually("the name is asked for", () -> ask(runtime()).startsWith("CERTIFICATE"));
    }

    @Test
    void token_thatChanges_isSentOnTheSameConnections() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        Upstream before = runtime().upstream();
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        root.send(ADMIN, "PATCH", SECRETS + "/token", "{data: {token: " + base64("newer") + "}}");

        eventually("the newer token is sent", () -> ask(runtime()).equals("200 Bearer newer"));
        assertThat(runtime().upstream()).isSameAs(before);
    }

    @Test
    void named_later_isReached_andNamedNoMore_isLeft() {
        register("caBundle: " + cas(), "null");
        assertThat(attached().crdRuntime()).isNull();

        patch("{crdRuntime: {endpoints: ['" + url(server) + "']}}");
        eventually("the runtime is there", () -> attached().crdRuntime() != null);
        Upstream upstream = runtime().upstream();
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");
        stopBase();
        Upstream base = attached().base().upstream();

        patch("{crdRuntime: null}");

        eventually("the runtime is gone", () -> attached().crdRuntime() == null);
        eventually("its connections are closed", () -> connections.open() == 0);
        assertThat(ask(upstream)).startsWith("CLOSED");
        assertThat(attached().base().upstream()).isSameAs(base);
    }

    @Test
    void clusterThatIsDeleted_leavesNoConnection() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        ClusterEntry.Backend runtime = runtime();
        assertThat(ask(runtime)).isEqualTo("200 Bearer t0ken");
        stopBase();

        root.send(ADMIN, "DELETE", CLUSTERS + "/prod", "");

        eventually("its connections are closed", () -> connections.open() == 0);
        assertThat(ask(runtime)).startsWith("CLOSED");
    }

    @Test
    void clusterThatIsPaused_leavesNoConnection() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer t0ken");

        stopBase();

        root.send(ADMIN, "PATCH", CLUSTERS + "/prod", "{spec: {paused: true}}");

        eventually("its connections are closed", () -> connections.open() == 0);
    }

    @Test
    void caThatIsNone_leavesTheClusterUnready() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], caBundle: " + base64("none") + "}");

        eventually("it is not served", () -> fleet.lookup(PROD) instanceof ClusterEntry.Unready);
        assertThat(fleet.lookup(PROD))
                .isInstanceOfSatisfying(
                        ClusterEntry.Unready.class,
                        unready -> assertThat(unready.cause()).isEqualTo("InvalidCredential"));
        assertThat(index.view(PROD)).isEmpty();
    }

    @Test
    void credentialOfItsOwn_isSentInsteadOfTheClusters_andFollowed() {
        root.secret("own", "token", "0wn");
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], credentialSecretRef: {name: own}}");
        assertThat(ask(runtime())).isEqualTo("200 Bearer 0wn");

        root.send(ADMIN, "PATCH", SECRETS + "/own", "{data: {token: " + base64("newer") + "}}");
        eventually("the newer token is sent", () -> ask(runtime()).equals("200 Bearer newer"));

        patch("{crdRuntime: {credentialSecretRef: null}}");
        eventually("the cluster's token is sent", () -> ask(runtime()).equals("200 Bearer t0ken"));
    }

    @Test
    void credentialOfItsOwn_thatIsMissing_leavesTheClusterUnreadyUntilItIsThere() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "'], credentialSecretRef: {name: own}}");

        eventually("it says so", () -> reason("Ready").equals("False SecretNotFound"));
        assertThat(reason("CRDRuntimeReachable")).isEqualTo("False SecretNotFound");

        root.secret("own", "token", "0wn");

        eventually("it is served", () -> fleet.lookup(PROD) instanceof ClusterEntry.Attached);
        assertThat(ask(runtime())).isEqualTo("200 Bearer 0wn");
    }

    @Test
    void serverOfTheCluster_isReachable_asAConditionSays_forAsLongAsItIsNamed() {
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        eventually("it is reachable", () -> reason("CRDRuntimeReachable").equals("True Reachable"));
        eventually("the cluster is Ready", () -> reason("Ready").equals("True Ready"));

        patch("{crdRuntime: null}");

        eventually(
                "nothing is said of it any more",
                () -> condition("CRDRuntimeReachable").isEmpty());
        eventually("the cluster is Ready", () -> reason("Ready").equals("True Ready"));
    }

    @Test
    void serverOfAnotherCluster_isSentNothing_andTheClusterIsNotReadyBecauseOfIt() {
        clusterOfServer = "uid-b";
        register("caBundle: " + cas(), "{endpoints: ['" + url(server) + "']}");

        assertThat(ask(runtime())).startsWith("IDENTITY").contains("uid-a", "uid-b");
        eventually("it says so", () -> reason("CRDRuntimeReachable").equals("False AnotherCluster"));
        assertThat(condition("CRDRuntimeReachable").path("message").asString(""))
                .contains(url(server), "uid-a", "uid-b", "expected API servers over the same store");
        eventually("the cluster is not Ready", () -> reason("Ready").equals("False CRDRuntimeNotReachable"));
        assertThat(reason("Reachable")).isEqualTo("True Reachable");
        assertThat(tokens).isEmpty();
    }
}
