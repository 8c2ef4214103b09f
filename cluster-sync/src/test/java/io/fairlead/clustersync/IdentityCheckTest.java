package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Sync;
import io.fairlead.index.history.KnownHistory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which cluster the endpoints of a registration lead to, as the servers say. */
final class IdentityCheckTest {
    private static final String KEY = "{\"kty\":\"RSA\",\"kid\":\"a\",\"e\":\"AQAB\",\"n\":\"0vx7\"}";

    private final FollowedCluster prod = new FollowedCluster();
    private final FakeApiServer server = prod.server("h2");

    @BeforeEach
    void identify() {
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        uid(server, "one");
        server.document(IdentityProbe.KEYS_PATH, "{\"keys\":[" + KEY + "]}");
    }

    @AfterEach
    void close() {
        prod.close();
    }

    @Test
    void uidAndSigningKeys_areRead() {
        prod.attach(server, null);

        eventually(() -> verified().status() == Finding.Status.TRUE);
        ClusterFingerprint fingerprint = identity().fingerprint().orElseThrow();
        assertThat(fingerprint.uid()).isEqualTo("one");
        assertThat(fingerprint.signingKeys()).hasSize(1);
        assertThat(fingerprint.servingCa()).isNotEmpty();
    }

    @Test
    void keysThatTheCredentialMayNotRead_areNotNeeded() {
        server.document(IdentityProbe.KEYS_PATH, 403, "{\"message\":\"forbidden\"}");
        prod.attach(server, null);

        eventually(() -> verified().status() == Finding.Status.TRUE);
        assertThat(identity().fingerprint())
                .isPresent()
                .get()
                .satisfies(known -> assertThat(known.signingKeys()).isEmpty());
        assertThat(verified().message()).contains("expected the right to get /openid/v1/jwks");
    }

    @Test
    void namespaceThatTheCredentialMayNotRead_isUnknown_untilItMay() {
        server.document(ClusterIdentity.PATH, 403, "{\"message\":\"forbidden\"}");
        prod.attach(server, null);
        eventually(() -> verified().reason().equals("CredentialForbidden"));
        assertThat(verified().status()).isEqualTo(Finding.Status.UNKNOWN);
        assertThat(identity().fingerprint()).isEmpty();

        uid(server, "one");

        eventually(() -> identity().fingerprint().isPresent());
    }

    @Test
    void serverThatNeverAnswers_isUnknown_andIsStillFollowedOnceItDoes() {
        server.neverAnswer(true);
        prod.attach(server, null);
        eventually(() -> verified().message().contains("did not answer"));
        assertThat(identity().isPending()).isTrue();

        server.neverAnswer(false);

        eventually(() -> verified().status() == Finding.Status.TRUE);
    }

    @Test
    void answerOfManyMegabytes_isReadToItsLimit_andIdentifiesNothing() {
        server.document(ClusterIdentity.PATH, "{\"metadata\":{\"uid\":\"one\",\"x\":\"" + "x".repeat(8 << 20) + "\"}}");
        prod.attach(server, null);

        eventually(() -> verified().reason().equals("NotKubernetes"));
        assertThat(identity().fingerprint()).isEmpty();
    }

    @Test
    void endpointsThatLeadBack_areFairleadItself() {
        server.document(ClusterIdentity.PATH, 508, "{\"reason\":\"LoopDetected\"}");
        prod.attach(server, null);

        eventually(() -> identity().isSelf());
        assertThat(verified().status()).isEqualTo(Finding.Status.FALSE);
    }

    @Test
    void unansweredCheck_leavesWhatWasKnown() {
        prod.attach(server, null);
        eventually(() -> identity().fingerprint().isPresent());

        server.refuseWith(500);

        eventually(() -> verified().status() == Finding.Status.UNKNOWN);
        assertThat(identity().fingerprint()).isPresent();
    }

    @Test
    void anotherUid_isFoundWithinAnInterval_andDropsWhatWasKnown() {
        prod.attach(server, null);
        eventually(() -> prod.sync() == Sync.SYNCED && identity().fingerprint().isPresent());
        long epoch = epoch();

        uid(server, "two");

        eventually(() -> epoch() == epoch + 1 && prod.sync() == Sync.SYNCED);
        eventually(() -> identity().fingerprint().orElseThrow().uid().equals("two"));
    }

    @Test
    void anotherUidThanBeforeARestart_dropsWhatWasKnown() {
        prod.sync.attach(
                new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null), KnownHistory.NONE, "zero");

        eventually(() -> epoch() == 2);
    }

    @Test
    void otherEndpoints_areCheckedAtOnce() {
        ClusterSync rarely = prod.sync(FollowedCluster.PATIENT);
        AttachedScope scope = rarely.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
        eventually(() -> identity().fingerprint().isPresent());
        FakeApiServer other = prod.server("h2");
        uid(other, "two");

        scope.reconfigure(new AttachedCluster(PROD, FollowedCluster.spec(other.url()), null));

        eventually(() -> identity().fingerprint().orElseThrow().uid().equals("two"));
        rarely.close();
    }

    @Test
    void anotherUid_isFoundBeforeItsKeys_whichNeverCome() {
        ClusterSync rarely = prod.sync(FollowedCluster.PATIENT);
        AttachedScope scope = rarely.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
        eventually(() -> identity().fingerprint().isPresent());
        server.document(IdentityProbe.KEYS_PATH, 0, "");
        uid(server, "two");

        scope.checkIdentity();

        eventually(() -> identity().fingerprint().orElseThrow().uid().equals("two"));
        assertThat(identity().fingerprint().orElseThrow().signingKeys()).isEmpty();
        rarely.close();
    }

    @Test
    void withheldCluster_isOnlyAskedWhichItIs() {
        WithheldScope scope = prod.sync.withhold(
                new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null), KnownHistory.NONE);

        eventually(() -> identity().fingerprint().isPresent());
        uid(server, "two");
        eventually(() -> identity().fingerprint().orElseThrow().uid().equals("two"));

        assertThat(server.requests())
                .containsOnly("GET " + ClusterIdentity.PATH, "GET " + IdentityProbe.KEYS_PATH, "GET /version");
        scope.close();
    }

    private static void uid(FakeApiServer server, String uid) {
        server.document(ClusterIdentity.PATH, "{\"metadata\":{\"uid\":\"" + uid + "\"}}");
    }

    private long epoch() {
        return prod.index.view(PROD).orElseThrow().evidence().epoch();
    }

    private ObservedIdentity identity() {
        return prod.reports.isEmpty()
                ? ObservedIdentity.NOT_READ
                : prod.last().identity().orElseThrow();
    }

    private Finding verified() {
        return prod.reports.isEmpty()
                ? ObservedIdentity.NOT_READ.verified()
                : identity().verified();
    }
}
