package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Creates a hosted cluster, or serves one with retained data again. */
@Command(name = "create", description = "Create a hosted cluster, or serve a retained one again.")
final class ClusterCreateCommand extends ServerCommand {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private RegistrationOptions options;

    @Option(
            names = "--built-ins",
            paramLabel = "<kinds>",
            defaultValue = "Core",
            description =
                    "which of Kubernetes' kinds it serves without a CRD: ${COMPLETION-CANDIDATES} (default: Core)")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Kinds builtIns;

    @Option(names = "--no-wait", description = "do not wait until the cluster is Ready")
    private boolean noWait;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        boolean isKnown = isRetained(client, name);
        JsonNode created =
                new HostedRegistration(name, builtIns.toString(), options).createUnlessThere(client, noWait, err());
        output().printChange(
                        created,
                        (isKnown ? "created, with the data of before that were kept" : "created")
                                + "; kubectl reaches it through " + client.origin() + "/clusters/" + name
                                + options.waiting(name.value()));
        return ExitCodes.OK;
    }

    /** Whether a deleted cluster of this name left data. */
    private static boolean isRetained(FairleadClient client, ClusterName name) throws CommandFailure {
        try {
            return client.get(Paths.fleet(name)).path("retained").asBoolean(false);
        } catch (StatusFailure notSo) {
            return false; // The attempt reports what prevents the creation.
        }
    }

    /** What {@code spec.hosted.builtIns} may be. */
    enum Kinds {
        CORE("Core"),
        ALL("All");

        private final String text;

        Kinds(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
