package io.fairlead.gateway.cli;

import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.digest.DefinitionDigests.VersionDigest;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells types apart by what they mean. */
@Command(
        name = "types",
        description = "Tell types apart by what they mean, not by their names.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TypesCommand.Digest.class, TypesDiffCommand.class, TypesMatrixCommand.class})
final class TypesCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command is given (expected digest, diff or matrix)");
    }

    /** Prints the digests of the CustomResourceDefinitions of files. */
    @Command(
            name = "digest",
            description = "Print the digests of the CustomResourceDefinitions in files; other objects are passed over.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:printed", "4:a file is unreadable, or holds no definition"})
    static final class Digest implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private CommandSpec spec;

        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private OutputOptions output;

        @Option(
                names = {"-f", "--filename"},
                paramLabel = "FILE",
                required = true,
                description = "a YAML or JSON file; several if given several times")
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private List<Path> files;

        @Override
        public Integer call() throws CommandFailure {
            List<DefinitionDigests> digests = new ArrayList<>();
            for (Path file : files) {
                digests.addAll(DefinitionFile.read(file));
            }
            digests.forEach(this::warn);
            ArrayNode document = Json.array();
            digests.forEach(each -> document.add(json(each)));
            output.print(document, rows(document), columns(), Digest::name);
            return ExitCodes.OK;
        }

        private void warn(DefinitionDigests digests) {
            for (String path : digests.notUnderstood()) {
                spec.commandLine()
                        .getErr()
                        .println("warning: " + digests.kind() + "." + digests.group() + ": " + path
                                + " is not understood (its text is part of the digest, its meaning is unknown)");
            }
        }

        private static ObjectNode json(DefinitionDigests digests) {
            ObjectNode entry = Json.object()
                    .put("group", digests.group())
                    .put("kind", digests.kind())
                    .put("api", digests.api().text())
                    .put("full", digests.full().text());
            ArrayNode versions = entry.putArray("versions");
            for (VersionDigest version : digests.versions()) {
                versions.addObject()
                        .put("name", version.name())
                        .put("schema", version.schema().text());
            }
            return entry;
        }

        /** A row for each version. */
        private static List<JsonNode> rows(ArrayNode document) {
            List<JsonNode> rows = new ArrayList<>();
            for (JsonNode entry : document) {
                for (JsonNode version : entry.path("versions").values()) {
                    ObjectNode row = ((ObjectNode) entry).deepCopy();
                    row.set("version", version);
                    rows.add(row);
                }
            }
            return rows;
        }

        private static List<Table.Column<JsonNode>> columns() {
            return List.of(
                    new Table.Column<>("TYPE", Digest::name),
                    new Table.Column<>("VERSION", row -> text(row.path("version"), "name")),
                    new Table.Column<>("SCHEMA", row -> text(row.path("version"), "schema")),
                    new Table.Column<>("API", row -> text(row, "api")));
        }

        private static String name(JsonNode row) {
            return text(row, "kind") + "." + text(row, "group");
        }

        private static String text(JsonNode node, String field) {
            return node.path(field).asString("");
        }
    }
}
