package io.fairlead.cli.types;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.cli.types.LockFinding.Result;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FileFault;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Verifies that the types of clusters and packages are what a lock pins; the exit code is the answer. */
@Command(
        name = "verify",
        description = "Verify that the types of clusters and packages are as a lock file pins them.",
        exitCodeOnExecutionException = 4,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all are as locked",
            "2:some are not",
            "3:some are unknown, and no other differs",
            "4:error: nothing is known of what could not be read"
        })
final class TypesVerifyCommand implements Callable<Integer> {
    private static final int TOLD_LENGTH_MAX = 60;
    private static final long BYTES_MAX = 512L * 1024 * 1024;

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
            names = "--lock",
            paramLabel = "FILE",
            required = true,
            description = "the lock file that 'fairlead types lock' printed")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    @Override
    public Integer call() throws CommandFailure {
        try {
            TypeLock.Pinned pinned = TypeLock.read(bytes());
            List<LockFinding> findings = verify(pinned);
            print(pinned, findings);
            return exitCode(findings);
        } catch (UnreadableDocumentException | IllegalArgumentException unreadable) {
            throw failure(String.valueOf(unreadable.getMessage()));
        } catch (CommandFailure failure) {
            throw failure.withExitCode(ExitCodes.FAILED);
        }
    }

    private byte[] bytes() throws CommandFailure {
        try {
            long size = Files.size(file);
            if (size > BYTES_MAX) {
                throw failure(size + " bytes (expected at most " + BYTES_MAX + ")");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw failure(FileFault.of(e));
        }
    }

    private List<LockFinding> verify(TypeLock.Pinned pinned) throws CommandFailure {
        LockVerification verification = new LockVerification();
        if (!pinned.clusters().isEmpty()) {
            try (FairleadClient client = server.connect()) {
                for (LockedTypes locked : pinned.clusters()) {
                    LockedTypes found = LockedTypes.ofCluster(
                            locked.name(), new ClusterTypes(new ClusterName(locked.name()), server).read(client));
                    verification.verify("cluster " + locked.name(), locked, found);
                }
            }
        }
        for (LockedTypes locked : pinned.packages()) {
            PackageSource source = PackageSource.of(locked.name());
            verification.verify("package " + locked.name(), locked, LockedTypes.ofPackage(source, source.read()));
        }
        return verification.findings();
    }

    private void print(TypeLock.Pinned pinned, List<LockFinding> findings) {
        if (findings.isEmpty() && output.form() == OutputOptions.Form.TABLE) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("as locked: " + pinned.clusters().size() + " clusters, "
                    + pinned.packages().size() + " packages");
            out.flush();
            return;
        }
        ObjectNode document = Json.object();
        ArrayNode listed = document.putArray("findings");
        findings.forEach(finding -> listed.add(finding.json()));
        output.print(
                document, List.copyOf(listed.values()), columns(), row -> text(row, "where") + " " + text(row, "type"));
    }

    private static List<Table.Column<JsonNode>> columns() {
        return List.of(
                column("WHERE", "where"),
                column("TYPE", "type"),
                column("VERSION", "version"),
                column("PATH", "path"),
                column("RULE", "rule"),
                column("LOCKED", "locked"),
                column("FOUND", "found"),
                column("RESULT", "result"));
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, row -> shortened(text(row, field)));
    }

    private static String shortened(String text) {
        if (text.isEmpty()) {
            return "-";
        }
        return text.codePointCount(0, text.length()) <= TOLD_LENGTH_MAX
                ? text
                : text.substring(0, text.offsetByCodePoints(0, TOLD_LENGTH_MAX - 1)) + "…";
    }

    private static String text(JsonNode row, String field) {
        return row.path(field).asString("");
    }

    private static int exitCode(List<LockFinding> findings) {
        if (findings.stream().anyMatch(finding -> finding.result() == Result.DIFFERENT)) {
            return ExitCodes.DIFFERENT;
        }
        return findings.isEmpty() ? ExitCodes.OK : ExitCodes.UNKNOWN;
    }

    private CommandFailure failure(String problem) {
        return CommandFailure.of(file + ": " + problem).withExitCode(ExitCodes.FAILED);
    }
}
