package io.fairlead.cli.doctor;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Examines a server and its clusters, and gives advice for each problem. */
@Command(
        name = "doctor",
        description = "Check reachability, certificates, credentials, rights, clocks and versions.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no error was found; there may be warnings", "1:an error was found"})
public final class DoctorCommand implements Callable<Integer> {
    private static final int LEVEL_WIDTH = 9;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "ID",
            converter = ClusterId.class,
            description = "look at this cluster alone, beside the server")
    @Nullable
    private ClusterName cluster;

    @Override
    public Integer call() {
        Examination examination = new Examination(Instant.now());
        try {
            examine(examination);
        } catch (CommandFailure failure) {
            examination.error("server", failure.message(), failure.hint());
        } catch (StatusFailure refused) {
            examination.error(
                    cluster == null ? "server" : "cluster " + cluster,
                    finding(String.valueOf(refused.getMessage())),
                    advice(refused));
        }
        print(examination.findings());
        return examination.foundErrors() ? ExitCodes.ERROR : ExitCodes.OK;
    }

    private void examine(Examination examination) throws CommandFailure, StatusFailure {
        Path file = server.file();
        Target target = server.target(server.read(file), file);
        ServerExamination.credential(examination, target); // Before it is printed: the server does not check it.
        try (FairleadClient client = server.connect()) {
            Duration ahead = new ServerExamination(examination, client).examine();
            for (JsonNode summary : clusters(client)) {
                String name = summary.path("name").asString("");
                new ClusterExamination(examination, client, name, ahead).examine(summary);
            }
        }
    }

    /** Behind the subject, which names the cluster already. */
    private String finding(String message) {
        String named = "cluster \"" + cluster + "\" ";
        return cluster != null && message.startsWith(named) ? message.substring(named.length()) : message;
    }

    private String advice(StatusFailure refused) {
        if (cluster == null) {
            return "ask an administrator for the right that the message names";
        }
        return switch (refused.code()) {
            case 403 ->
                "have an administrator bind the verb \"access\" on clusters.fairlead.io/" + cluster
                        + " to you in cluster root, or 'fairlead cluster list' for the clusters that you may enter";
            case 404 ->
                "'fairlead cluster list' lists the clusters that there are; 'fairlead cluster attach " + cluster
                        + "' or 'fairlead cluster create " + cluster + "' registers this one";
            default -> "look again in a moment; the server's log says more";
        };
    }

    private List<JsonNode> clusters(FairleadClient client) throws CommandFailure, StatusFailure {
        return cluster == null
                ? List.copyOf(client.get(Paths.FLEET).path("clusters").values())
                : List.of(client.get(Paths.fleet(cluster)));
    }

    private void print(List<Examination.Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        switch (output.form()) {
            case TABLE -> findings.forEach(finding -> out.println(line(finding)));
            case JSON -> out.println(Rendering.json(document(findings)));
            case YAML -> out.print(Rendering.yaml(document(findings)));
            case NAME -> findings.forEach(finding -> out.println(finding.subject()));
        }
        out.flush();
    }

    private static String line(Examination.Finding finding) {
        String line = level(finding);
        line += " ".repeat(LEVEL_WIDTH - line.length()) + finding.subject() + " " + finding.what();
        return finding.advice().isEmpty() ? line : line + " -> " + finding.advice();
    }

    private static ObjectNode document(List<Examination.Finding> findings) {
        ObjectNode document = Json.object();
        ArrayNode listed = document.putArray("findings");
        findings.forEach(finding -> listed.addObject()
                .put("level", level(finding))
                .put("subject", finding.subject())
                .put("finding", finding.what())
                .put("advice", finding.advice()));
        return document;
    }

    private static String level(Examination.Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}
