package io.fairlead.clustersync;

import io.fairlead.net.EndpointReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands what is told of a cluster's endpoints to its board, which is made after the connections. Thread-safe. */
final class EndpointBoard {
    private @Nullable StatusBoard board;
    private List<EndpointReport> newest = List.of();

    /** Does not block for long: the board only notes it. */
    synchronized void told(List<EndpointReport> endpoints) {
        newest = endpoints;
        if (board != null) {
            board.endpoints(endpoints);
        }
    }

    synchronized void show(StatusBoard made) {
        board = made;
        made.endpoints(newest);
    }
}
