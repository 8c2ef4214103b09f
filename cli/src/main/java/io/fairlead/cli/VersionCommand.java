package io.fairlead.cli;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints the version; also the server's, if one is given. */
@Command(name = "version", description = "Print the version, and that of the server if one is named.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    private static final String NO_SERVER =
            "note: no server was asked for its version (--kubeconfig, --context or --data-dir names one)";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Override
    public Integer call() throws CommandFailure {
        ObjectNode versions = Json.object();
        versions.putObject("client")
                .put("version", FairleadVersion.NUMBER)
                .put("java", Runtime.version().feature());
        if (server.isNamed()) {
            versions.set("server", serverVersion());
        }
        print(versions);
        return ExitCodes.OK;
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }

    private ObjectNode serverVersion() throws CommandFailure {
        try (FairleadClient client = server.connect()) {
            return ((ObjectNode) client.get(Paths.VERSION))
                    .put("url", client.origin().toString());
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    private void print(ObjectNode versions) {
        PrintWriter out = spec.commandLine().getOut();
        switch (output.form()) {
            case TABLE -> {
                out.println(text());
                if (versions.has("server")) {
                    out.println(server(versions.path("server")));
                } else {
                    spec.commandLine().getErr().println(NO_SERVER);
                    spec.commandLine().getErr().flush();
                }
            }
            case JSON -> out.println(Rendering.json(versions));
            case YAML -> out.print(Rendering.yaml(versions));
            case NAME -> out.println(FairleadVersion.NUMBER);
        }
        out.flush();
    }

    private static String server(JsonNode server) {
        return Visible.printable("server: fairlead " + server.path("version").asString("") + " at "
                + server.path("url").asString("") + " (hosted clusters: Kubernetes "
                + server.path("kubernetes").asString("") + ")");
    }

    private static String text() {
        return "fairlead " + FairleadVersion.NUMBER + " (Java "
                + Runtime.version().feature() + ")";
    }
}
