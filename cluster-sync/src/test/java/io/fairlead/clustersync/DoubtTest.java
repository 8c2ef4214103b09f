package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.QUICK;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.Answer;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a cluster may be relied on only while it is certain that nothing else has happened. */
final class DoubtTest {
    private static final String FOOS = "foos.example.com";

    private final FollowedCluster prod = new FollowedCluster();

    @AfterEach
    void close() {
        prod.close();
    }

    /** The copy is from before v2; what is written after it is restored may or may not reach what was heard of. */
    @ParameterizedTest
    @CsvSource({"h2, false", "h2, true", "http/1.1, true"})
    void restoredCopy_isNeverTakenForWhatWasKnown(String protocol, boolean caughtUp) {
        FakeApiServer server = prod.server(protocol);
        server.put(API_SERVICES, "v1.", builtIn("", "v1"));
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        FakeApiServer.Copy copy = server.copy();
        server.put(CRDS, FOOS, crd("foos", "example.com", "v2"));
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        follow(server);

        goAway(server);
        server.restore(copy);
        server.advance(caughtUp ? 1_000 : copy.revision() + 1);
        server.listen();

        awaitServed("v1");
        assertThat(prod.lookup("example.com", "v1", "bars")).isEqualTo(Answer.ABSENT);
        assertReplacementIsTold();
    }

    @ParameterizedTest
    @ValueSource(longs = {103, 5_000})
    void anotherClustersStore_isNeverTakenForWhatWasKnown(long revision) {
        FakeApiServer other = prod.server("h2");
        other.advance(80);
        other.put(API_SERVICES, "v1.", builtIn("", "v1"));
        other.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        other.advance(revision);
        FakeApiServer server = prod.server("h2");
        server.put(API_SERVICES, "v1.", builtIn("", "v1"));
        server.put(CRDS, FOOS, crd("foos", "example.com", "v2"));
        follow(server);

        goAway(server);
        server.restore(other.copy());
        server.listen();

        awaitServed("v1");
        assertReplacementIsTold();
    }

    @Test
    void sameStore_isConfirmedWithoutAWholeList() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AttachedScope scope = follow(server);
        long epoch = epoch();

        goAway(server);
        server.listen();

        eventually(() -> scope.silentNanos() == 0);
        assertThat(epoch()).isEqualTo(epoch);
        assertThat(prod.last().typesSynced().message()).doesNotContain("replaced");
    }

    @Test
    void orderlyEndOfAWatch_thatIsTakenUpAgain_isNoDoubt() {
        FakeApiServer server = prod.server("h2");
        AtomicLong now = new AtomicLong(1);
        try (ClusterSync sync = prod.sync(QUICK, now::get)) {
            AttachedScope scope = sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && scope.silentNanos() == 0);
            int requests = server.requests().size();

            server.endWatches();

            eventually(() -> {
                assertThat(scope.silentNanos()).isLessThan(TimeUnit.SECONDS.toNanos(1));
                return server.watcherCount() == 2 && server.requests().size() >= requests + 2;
            });
        }
    }

    @Test
    void orderlyEndOfAWatch_thatIsNotTakenUpAgain_isADoubt() {
        FakeApiServer server = prod.server("h2");
        AtomicLong now = new AtomicLong(1);
        try (ClusterSync sync = prod.sync(QUICK, now::get)) {
            AttachedScope scope = sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && scope.silentNanos() == 0);
            server.neverAnswer(true);

            server.endWatches();
            eventually(() -> {
                now.addAndGet(TimeUnit.SECONDS.toNanos(1));
                return scope.silentNanos() == Long.MAX_VALUE;
            });
        }
    }

    @Test
    void watchThatTellsNothing_isNotReliedOnForLongerThanABookmarkTakes() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AtomicLong now = new AtomicLong(1);
        try (ClusterSync sync = prod.sync(QUICK, now::get)) {
            AttachedScope scope = sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && scope.silentNanos() == 0);
            server.mute(true);
            server.put(CRDS, FOOS, crd("foos", "example.com", "v2"));
            now.addAndGet(TimeUnit.SECONDS.toNanos(60));
            assertThat(scope.silentNanos()).isZero();
            server.neverAnswer(true);

            now.addAndGet(TimeUnit.SECONDS.toNanos(31));

            assertThat(scope.silentNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(prod.lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void quietWatch_isConfirmed_orReplacedByOneThatTells(boolean changed) {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AtomicLong now = new AtomicLong(1);
        try (ClusterSync sync = prod.sync(QUICK, now::get)) {
            AttachedScope scope = sync.attach(new AttachedCluster(PROD, FollowedCluster.spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && scope.silentNanos() == 0);
            // A census of the beginning may still be under way, and must not be taken for that of the quiet watch.
            int[] seen = {-1, 0};
            eventually(() -> {
                int asked = server.requests().size();
                seen[1] = asked == seen[0] ? seen[1] + 1 : 0;
                seen[0] = asked;
                return seen[1] >= 50;
            });
            server.mute(true);
            if (changed) {
                server.put(CRDS, FOOS, crd("foos", "example.com", "v2"));
            }
            int requests = server.requests().size();

            now.addAndGet(TimeUnit.SECONDS.toNanos(80));

            // Both kinds must have been asked about by then, or the next look finds a silence of 100 seconds.
            for (String path : List.of(CRDS, API_SERVICES)) {
                eventually(() -> server.requests().stream().skip(requests).anyMatch(request -> request.contains(path)));
            }
            eventually(() -> prod.lookup("example.com", changed ? "v2" : "v1", "foos") == Answer.SERVED);
            now.addAndGet(TimeUnit.SECONDS.toNanos(20));
            eventually(() -> scope.silentNanos() == 0);
        }
    }

    @Test
    void changeThroughTheGateway_isADoubtUntilTheWatchHasToldIt() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AttachedScope scope = follow(server);
        server.mute(true);
        server.put(CRDS, FOOS, crd("foos", "example.com", "v2"));

        scope.doubt(HolderType.CRD);

        assertThat(scope.silentNanos()).isEqualTo(Long.MAX_VALUE);
        awaitServed("v2");
    }

    @Test
    void changeThroughTheGateway_thatWasHeardAlready_isNoDoubtForLong() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AttachedScope scope = follow(server);
        long epoch = epoch();

        scope.doubt(HolderType.CRD);
        scope.doubt(HolderType.API_SERVICE);

        eventually(() -> scope.silentNanos() == 0);
        assertThat(epoch()).isEqualTo(epoch);
    }

    @Test
    void verify_asksTheServer() {
        FakeApiServer server = prod.server("h2");
        server.put(CRDS, FOOS, crd("foos", "example.com", "v1"));
        AttachedScope scope = follow(server);
        assertThat(scope.verify())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isTrue());

        server.mute(true);
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        server.delete(CRDS, FOOS);

        assertThat(scope.verify()).hasValueSatisfying(audit -> {
            assertThat(audit.missing()).isNotEmpty().allMatch(claim -> claim.contains("bars"));
            assertThat(audit.surplus()).isNotEmpty().allMatch(claim -> claim.contains("foos"));
        });
        server.refuseWith(500);
        assertThat(scope.verify()).isEmpty();
    }

    private AttachedScope follow(FakeApiServer server) {
        AttachedScope scope = prod.attach(server, null);
        eventually(() -> server.watcherCount() == 2 && scope.silentNanos() == 0);
        return scope;
    }

    private void goAway(FakeApiServer server) {
        server.down();
        eventually(() -> prod.sync.silentNanos(PROD) == Long.MAX_VALUE);
    }

    /** Waits until it is known that foos are served in a version alone; before that, whatever is known is in doubt. */
    private void awaitServed(String version) {
        String other = version.equals("v1") ? "v2" : "v1";
        eventually(() -> {
            boolean relied = prod.sync.silentNanos(PROD) == 0;
            boolean right = prod.lookup("example.com", version, "foos") == Answer.SERVED
                    && prod.lookup("example.com", other, "foos") == Answer.ABSENT;
            if (relied && prod.sync() == Sync.SYNCED) {
                assertThat(right).as("what is relied on is right").isTrue();
            }
            return relied && right;
        });
        prod.index.assertConsistent();
    }

    private void assertReplacementIsTold() {
        assertThat(epoch()).as("once, whichever informers notice").isEqualTo(2);
        eventually(() -> prod.last().typesSynced().reason().equals("Synced")
                && prod.last().typesSynced().message().contains("history was replaced"));
    }

    private long epoch() {
        return prod.index.view(PROD).orElseThrow().evidence().epoch();
    }
}
