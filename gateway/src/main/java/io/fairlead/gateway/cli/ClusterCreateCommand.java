package io.fairlead.gateway.cli;

import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Creates a hosted cluster, or serves one again whose data was retained. */
@Command(
        name = "create",
        description = "Create a hosted cluster, or serve a retained one again.",
        mixinStandardHelpOptions = true)
final class ClusterCreateCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Parameters(paramLabel = "ID", converter = ClusterId.class, description = "the cluster's id")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterName name;

    @Option(names = "--no-wait", description = "do not wait until the cluster is Ready")
    private boolean noWait;

    @Override
    public Integer call() throws CommandFailure {
        try (FairleadClient client = server.connect()) {
            client.post(Paths.CLUSTERS, cluster());
            if (!noWait) {
                Readiness.await(client, name, TIMEOUT);
            }
            spec.commandLine()
                    .getOut()
                    .println("cluster.fairlead.io/" + name + " created; kubectl reaches it through " + client.origin()
                            + "/clusters/" + name);
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    private ObjectNode cluster() {
        ObjectNode cluster = Json.object();
        cluster.put("apiVersion", "fairlead.io/v1alpha1").put("kind", "Cluster");
        cluster.putObject("metadata").put("name", name.value());
        cluster.putObject("spec").putObject("hosted").put("builtIns", "Core").put("deletionPolicy", "Retain");
        return cluster;
    }
}
