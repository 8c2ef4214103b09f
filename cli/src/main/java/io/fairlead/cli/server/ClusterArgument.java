package io.fairlead.cli.server;

import io.fairlead.model.ClusterName;
import picocli.CommandLine.Parameters;

/** The cluster of a command, as its argument. */
public final class ClusterArgument {
    @Parameters(paramLabel = "ID", converter = ClusterId.class, description = "the cluster's id")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterName name;

    public ClusterName name() {
        return name;
    }
}
