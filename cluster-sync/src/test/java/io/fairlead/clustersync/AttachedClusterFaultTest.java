package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PATIENT;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Answer;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of what is known when the server breaks, is replaced, refuses, or is left. */
final class AttachedClusterFaultTest extends AttachedClusterFixture {
    @Test
    void watchesThatEnd_areTakenUpAgain() {
        FakeApiServer server = prod.server("h2");
        prod.attach(server, null);
        for (int i = 0; i < 5; i++) {
            eventually(() -> server.watcherCount() == 2);
            server.endWatches();
            String name = "t" + i;
            server.put(CRDS, name + ".example.com", crd(name, "example.com", "v1"));
            eventually(() -> prod.lookup("example.com", "v1", name) == Answer.SERVED);
        }
        prod.index.assertConsistent();
    }

    @Test
    void serverThatFlaps_isFoundAgain() {
        FakeApiServer server = prod.server("h2");
        prod.attach(server, null);
        for (int i = 0; i < 4; i++) {
            eventually(() -> server.watcherCount() == 2);
            server.down();
            String name = "t" + i;
            server.put(CRDS, name + ".example.com", crd(name, "example.com", "v1"));
            server.listen();
            eventually(() -> prod.lookup("example.com", "v1", name) == Answer.SERVED);
        }
        eventually(() -> prod.sync() == Sync.SYNCED);
        prod.index.assertConsistent();
    }

    @Test
    void listThatNeverEnds_leavesEverythingUnknown() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        server.neverAnswerLists(true);
        prod.attach(server, null);

        eventually(() -> server.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.UNKNOWN);
        assertThat(prod.lookup("example.com", "v1", "nothing")).isEqualTo(Answer.UNKNOWN);
        eventually(() -> prod.reachable().equals("Reachable"));
        assertThat(prod.last().typesSynced().status()).isEqualTo(Finding.Status.UNKNOWN);

        server.neverAnswerLists(false);
        eventually(() -> prod.sync() == Sync.SYNCED);
    }

    @Test
    void serverThatStaysAway_makesTheIndexLost_neverAbsent() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

        server.down();

        eventually(() -> prod.sync() == Sync.LOST);
        assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        assertThat(prod.lookup("example.com", "v1", "nothing")).isEqualTo(Answer.UNKNOWN);
        eventually(() -> prod.reachable().equals("ConnectionFailed"));
        eventually(() -> prod.last().typesSynced().reason().equals("WatchLost"));

        server.listen();
        eventually(() -> prod.sync() == Sync.SYNCED);
        assertThat(prod.lookup("example.com", "v1", "nothing")).isEqualTo(Answer.ABSENT);
        eventually(() -> prod.last().typesSynced().reason().equals("Synced"));
    }

    @Test
    void refusedCredential_isReported_andARotatedOneIsUsed() {
        FakeApiServer server = prod.server("h2");
        server.requireToken("canary-2");
        AttachedScope scope = prod.attach(server, "canary-1");
        eventually(() -> prod.reachable().equals("CredentialRefused"));
        eventually(() -> prod.last().typesSynced().reason().equals("CredentialRefused"));
        assertThat(prod.reports.toString()).doesNotContain("canary");

        scope.reconfigure(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), "canary-2"));

        eventually(() -> prod.sync() == Sync.SYNCED);
        eventually(() ->
                prod.reachable().equals("Reachable") && prod.last().version().equals("v1.36.3"));
        eventually(() -> prod.last().lastSyncTime() != null);
    }

    @Test
    void otherServer_isUnknownUntilItIsListed() {
        FakeApiServer old = prod.server("h2");
        old.put(CRDS, "olds.example.com", crd("olds", "example.com", "v1"));
        old.put(CRDS, "older.example.com", crd("older", "example.com", "v1"));
        AttachedScope scope = prod.attach(old, null);
        eventually(() -> prod.sync() == Sync.SYNCED);
        FakeApiServer other = prod.server("h2");
        other.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        other.neverAnswerLists(true);

        scope.reconfigure(new AttachedCluster(PROD, FollowedCluster.spec(other.url()), null));

        assertThat(prod.sync()).isEqualTo(Sync.UNSYNCED);
        eventually(() -> other.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(prod.sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(prod.lookup("example.com", "v1", "olds")).isEqualTo(Answer.UNKNOWN);
        other.neverAnswerLists(false);
        eventually(() -> prod.sync() == Sync.SYNCED && prod.lookup("example.com", "v1", "foos") == Answer.SERVED);
        assertThat(prod.lookup("example.com", "v1", "olds")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void sameServerWithAnotherToken_staysKnown() {
        FakeApiServer server = prod.server("h2");
        AttachedScope scope = prod.attach(server, "canary-1");
        eventually(() -> prod.sync() == Sync.SYNCED);
        server.neverAnswerLists(true);

        scope.reconfigure(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), "canary-2"));

        assertThat(prod.sync()).isNotEqualTo(Sync.UNSYNCED);
    }

    @Test
    void forbiddenCredential_isReported() {
        FakeApiServer server = prod.server("h2");
        server.refuseWith(403);
        prod.attach(server, "any");

        eventually(() -> prod.reachable().equals("CredentialForbidden"));
        assertThat(prod.sync()).isEqualTo(Sync.UNSYNCED);
    }

    @Test
    void serverThatIsNoKubernetes_isReported() {
        FakeApiServer server = prod.server("http/1.1");
        server.version("<html>It works!</html>");
        prod.attach(server, null);

        eventually(() -> prod.reachable().equals("NotKubernetes"));
    }

    @Test
    void slowServer_isReported() {
        FakeApiServer server = prod.server("h2");
        server.neverAnswer(true);
        prod.attach(server, null);

        eventually(() -> prod.reachable().equals("Timeout"));
        server.neverAnswer(false);
        eventually(() -> prod.reachable().equals("Reachable"));
    }

    /** No time limit can be what helps the others: the broken one may take its time. */
    @Test
    void serverThatNeverAnswers_doesNotDelayTheOthers() {
        FakeApiServer mute = prod.server("h2");
        mute.neverAnswer(true);
        try (ClusterSync patient = prod.sync(PATIENT)) {
            for (int i = 0; i < 3; i++) {
                patient.attach(
                        new AttachedCluster(new ClusterName("mute" + i), FollowedCluster.spec(mute.url()), null));
            }
            FakeApiServer healthy = prod.server("h2");
            healthy.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
            patient.attach(new AttachedCluster(PROD, FollowedCluster.spec(healthy.url()), null));

            eventually(() -> prod.sync() == Sync.SYNCED);

            assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
            assertThat(mute.requests()).isNotEmpty();
            assertThat(prod.index.view(new ClusterName("mute0")).orElseThrow().sync())
                    .isEqualTo(Sync.UNSYNCED);
        }
    }

    @Test
    void closedScope_leavesNothingBehind() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        AttachedScope scope = prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && prod.sync() == Sync.SYNCED);

        scope.close();

        eventually(() -> server.connectionCount() == 0);
        assertThat(prod.index.view(PROD)).isEmpty();
        assertThat(prod.index.claimCount()).isZero();
        int requests = server.requests().size();
        int reported = prod.reports.size();
        AttachedScope again = prod.attach(server, null);
        eventually(() -> prod.sync() == Sync.SYNCED);
        assertThat(again.name()).isEqualTo(PROD);
        assertThat(server.requests().subList(requests, server.requests().size()))
                .allMatch(request -> request.contains("/version")
                        || request.contains("apis")
                        || request.equals("GET " + ClusterIdentity.PATH)
                        || request.equals("GET " + IdentityProbe.KEYS_PATH));
        assertThat(prod.reports.size()).isGreaterThanOrEqualTo(reported);
    }

    @Test
    void closedScope_closesTheServersOfItsCrdRuntime() {
        FakeApiServer base = prod.server("h2");
        FakeApiServer other = prod.server("h2");
        for (FakeApiServer ofOneCluster : List.of(base, other)) {
            ofOneCluster.document("/api/v1/namespaces/kube-system", "{\"metadata\":{\"uid\":\"uid-of-prod\"}}");
        }
        AttachedScope scope = prod.attach(base, null);
        CrdRuntimeScope first = scope.openCrdRuntime(FollowedCluster.spec(other.url()));
        connect(first);
        first.close();
        eventually(() -> other.connectionCount() == 0);
        connect(scope.openCrdRuntime(FollowedCluster.spec(other.url())));

        scope.close();

        eventually(() -> other.connectionCount() == 0);
    }

    @Test
    void twoScopesOfOneName_areRefused() {
        FakeApiServer server = prod.server("h2");
        prod.attach(server, null);

        assertThatThrownBy(() -> prod.attach(server, null)).isInstanceOf(IllegalStateException.class);
    }
}
