package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static io.fairlead.clustersync.FollowedCluster.PROD;
import static io.fairlead.clustersync.FollowedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Answer;
import io.fairlead.index.Sync;
import io.fairlead.net.UpstreamSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster of two API servers, which have the same objects and the same history. */
final class TwoServersTest extends AttachedClusterFixture {
    private final FakeApiServer one = prod.server("h2");
    private final FakeApiServer other = prod.server("h2");

    @Test
    void serverThatDies_leavesItsWatchesToTheOther() {
        put("boats", "v1");
        try (ClusterSync rarely = prod.sync(FollowedCluster.PATIENT)) {
            rarely.attach(new AttachedCluster(PROD, both(), null));
            eventually(() -> watchers() == 2 && prod.sync() == Sync.SYNCED);
            // Both watches of one server, so that both have to move.
            one.down();
            eventually(() -> other.watcherCount() == 2);
            one.listen();
            eventually(() -> ready().equals(List.of(Finding.Status.TRUE, Finding.Status.TRUE)));
            int before = one.requests().size();

            other.down();
            put("ships", "v2");

            eventually(() -> prod.lookup("example.com", "v2", "ships") == Answer.SERVED);
            assertThat(one.watcherCount()).isPositive();
            eventually(() -> isWatched("/customresourcedefinitions", before) && isWatched("/apiservices", before));
            assertThat(prod.sync()).isEqualTo(Sync.SYNCED);
            eventually(() -> ready().equals(List.of(Finding.Status.TRUE, Finding.Status.FALSE)));
            EndpointFinding away = prod.last().endpoints().getLast();
            assertThat(away.url()).isEqualTo(other.url().toString());
            assertThat(away.ready().reason()).isEqualTo("ConnectionFailed");
            assertThat(prod.last().reachable().status()).isEqualTo(Finding.Status.TRUE);
        }
    }

    @Test
    void serversThatAreBothDown_areToldOf() {
        prod.sync.attach(new AttachedCluster(PROD, both(), null));
        eventually(() -> prod.sync() == Sync.SYNCED);

        one.down();
        other.down();

        eventually(() -> prod.reachable().equals("NoReadyEndpoint"));
        assertThat(prod.last().reachable())
                .isEqualTo(Finding.no("NoReadyEndpoint", "none of the 2 endpoints is ready"));
        assertThat(ready()).containsOnly(Finding.Status.FALSE);
    }

    private void put(String plural, String version) {
        for (FakeApiServer server : List.of(one, other)) {
            server.put(CRDS, plural + ".example.com", crd(plural, "example.com", version));
        }
    }

    private int watchers() {
        return one.watcherCount() + other.watcherCount();
    }

    /** Whether a watch of a resource was begun where it had been, beyond so many requests. */
    private boolean isWatched(String resource, int before) {
        return one.requests().stream()
                .skip(before)
                .anyMatch(request -> request.contains(resource + "?")
                        && request.contains("watch=true")
                        && request.contains("resourceVersion="));
    }

    private List<Finding.Status> ready() {
        return prod.last().endpoints().stream()
                .map(endpoint -> endpoint.ready().status())
                .toList();
    }

    private UpstreamSpec both() {
        return new UpstreamSpec(List.of(one.url(), other.url()), FakeApiServer.caPem(), null, null, null);
    }
}
