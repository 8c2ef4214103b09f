package io.fairlead.clustersync;

import io.fairlead.index.IndexComparison;
import io.fairlead.model.ClusterName;
import java.util.Optional;

/** A hosted cluster that is indexed. */
public final class HostedScope implements ClusterScope {
    private final ClusterName name;
    private final IndexFeed feed;
    private final StatusBoard board;
    private final Tasks tasks;
    private final Runnable whenClosed;

    HostedScope(ClusterName name, IndexFeed feed, StatusBoard board, Tasks tasks, Runnable whenClosed) {
        this.name = name;
        this.feed = feed;
        this.board = board;
        this.tasks = tasks;
        this.whenClosed = whenClosed;
    }

    @Override
    public ClusterName name() {
        return name;
    }

    @Override
    public Optional<IndexComparison> verify() {
        return feed.verify();
    }

    @Override
    public long silentNanos() {
        return feed.silentNanos();
    }

    @Override
    public void close() {
        tasks.close();
        board.close();
        feed.close();
        whenClosed.run();
    }
}
