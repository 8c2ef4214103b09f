package io.fairlead.cli.server;

import io.fairlead.model.ClusterName;
import picocli.CommandLine.Option;

/** The cluster of a command, as an option. */
public final class ClusterOption {
    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "ID",
            required = true,
            converter = ClusterId.class,
            description = "the cluster")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterName name;

    public ClusterName name() {
        return name;
    }
}
