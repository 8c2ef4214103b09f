package io.fairlead.cli.types;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.print.Table;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.CommandGroup;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.model.Visible;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.digest.DefinitionDigests.VersionDigest;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares types by meaning. */
@Command(
        name = "types",
        description = "Tell types apart by what they mean, not by their names.",
        subcommands = {
            TypesCommand.Digest.class,
            TypesDiffCommand.class,
            TypesMatrixCommand.class,
            TypesLockCommand.class,
            TypesVerifyCommand.class
        })
public final class TypesCommand extends CommandGroup {
    /** Prints the digests of the CustomResourceDefinitions of files. */
    @Command(
            name = "digest",
            description =
                    "Print the digests of the CustomResourceDefinitions of sources; other objects are passed over.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:printed",
                "3:some types are unknown; the others are printed",
                "4:a source is unreadable, or holds no definition"
            })
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
                description = "a YAML or JSON file, - for standard input; several if given several times")
        private List<Path> files = new ArrayList<>();

        @Parameters(arity = "0..*", paramLabel = "SOURCE", description = TypeSources.EXPECTED)
        private List<String> sources = new ArrayList<>();

        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private ServerOptions server;

        @Override
        public Integer call() throws CommandFailure {
            List<DefinitionDigests> digests = new ArrayList<>();
            Map<String, String> undetermined = new TreeMap<>();
            for (TypeSource source : sources()) {
                digests.addAll(types(source));
                undetermined.putAll(source.undetermined());
            }
            digests.forEach(this::warn);
            undetermined.forEach(
                    (name, why) -> err().println(Visible.printable("warning: " + name + " is Unknown: " + why)));
            ArrayNode document = Json.array();
            digests.forEach(each -> document.add(json(each)));
            output.print(document, rows(document), columns(), Digest::name);
            return undetermined.isEmpty() ? ExitCodes.OK : ExitCodes.UNKNOWN;
        }

        private List<TypeSource> sources() throws CommandFailure {
            if (files.isEmpty() && sources.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "no source is given (expected " + TypeSources.EXPECTED + ")");
            }
            List<TypeSource> all = new ArrayList<>();
            files.forEach(file -> all.add(new FileTypes(file)));
            TypeSources known = new TypeSources(server);
            for (String source : sources) {
                all.add(known.of(source));
            }
            return all;
        }

        private static List<DefinitionDigests> types(TypeSource source) throws CommandFailure {
            try {
                return source.types();
            } catch (CommandFailure failure) {
                throw failure.withExitCode(ExitCodes.FAILED);
            }
        }

        private PrintWriter err() {
            return spec.commandLine().getErr();
        }

        private void warn(DefinitionDigests digests) {
            for (String path : digests.notUnderstood()) {
                err().println(Visible.printable("warning: " + digests.type() + ": " + path
                        + " is not understood (its text is part of the digest, its meaning is unknown)"));
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
                    new Table.Column<>("SCHEMA", row -> Rendering.digest(text(row.path("version"), "schema"))),
                    new Table.Column<>("API", row -> Rendering.digest(text(row, "api"))));
        }

        private static String name(JsonNode row) {
            return text(row, "kind") + "." + text(row, "group");
        }

        private static String text(JsonNode node, String field) {
            return node.path(field).asString("");
        }
    }
}
