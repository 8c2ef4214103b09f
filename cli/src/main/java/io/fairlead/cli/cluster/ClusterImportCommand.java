package io.fairlead.cli.cluster;

import io.fairlead.cli.server.ArchiveInput;
import io.fairlead.cli.server.ClusterArgument;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes a hosted cluster of an archive. */
@Command(
        name = "import",
        description = {
            "Make a hosted cluster of a file that 'cluster export' wrote.",
            "A file that is cut off or changed is refused, and nothing of it stays."
        })
final class ClusterImportCommand extends ServerCommand {
    /** A request has a limited body, of which base64 takes a third. */
    private static final int PART_BYTES = 512 * 1024;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ClusterArgument cluster;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private RegistrationOptions options;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ArchiveInput file;

    @Option(names = "--no-wait", description = "do not wait until the cluster is Ready")
    private boolean noWait;

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        ClusterName name = cluster.name();
        JsonNode imported;
        try (InputStream in = file.open("fairlead cluster export")) {
            new HostedRegistration(name, "Core", options).tryOut(client);
            imported = send(client, name, in).path("status");
        } catch (IOException unreadable) {
            throw file.failure(unreadable);
        }
        HostedRegistration registration =
                new HostedRegistration(name, imported.path("builtIns").asString("Core"), options);
        JsonNode created = created(client, registration);
        output().printChange(
                        created,
                        "created, with " + imported.path("entries").asLong(0) + " objects of cluster \""
                                + Visible.printable(imported.path("cluster").asString(""))
                                + "\"; kubectl reaches it through "
                                + client.origin() + "/clusters/" + name + options.waiting(name.value()));
        return ExitCodes.OK;
    }

    private JsonNode created(FairleadClient client, HostedRegistration registration) throws CommandFailure {
        try {
            return registration.create(client, noWait, err());
        } catch (StatusFailure refused) {
            throw CommandFailure.of(
                    "the data are imported, but the cluster is not registered: " + refused.getMessage(),
                    "'fairlead cluster create " + cluster.name() + "' registers it; with 'cluster delete "
                            + cluster.name() + " --purge' its data are deleted");
        }
    }

    /** Sends the parts; what the server answers to the last one. */
    private JsonNode send(FairleadClient client, ClusterName name, InputStream in)
            throws CommandFailure, StatusFailure, IOException {
        long offset = 0;
        byte[] part = in.readNBytes(PART_BYTES);
        if (part.length == 0) {
            throw file.failure("it is empty (expected an archive)");
        }
        while (true) {
            byte[] next = in.readNBytes(PART_BYTES);
            boolean isLast = next.length == 0;
            JsonNode answer = client.post(Paths.CLUSTER_IMPORTS, part(name, offset, part, isLast));
            if (isLast) {
                return answer;
            }
            offset += part.length;
            part = next;
        }
    }

    private static ObjectNode part(ClusterName name, long offset, byte[] data, boolean isLast) {
        ObjectNode part =
                Json.object().put("apiVersion", "fairlead.io/v1alpha1").put("kind", "ClusterImport");
        part.putObject("metadata").put("name", name.value());
        part.putObject("spec")
                .put("offset", offset)
                .put("data", Base64.getEncoder().encodeToString(data))
                .put("last", isLast);
        return part;
    }
}
