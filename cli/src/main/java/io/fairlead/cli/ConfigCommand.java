package io.fairlead.cli;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.server.CommandGroup;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.Key;
import io.fairlead.config.Problem;
import io.fairlead.gateway.ConfiguredFiles;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains and checks configuration files. */
@Command(
        name = "config",
        description = "Explain every configuration key, or check a file.",
        subcommands = {ConfigCommand.Reference.class, ConfigCommand.Check.class})
final class ConfigCommand extends CommandGroup {
    /** Prints every key. */
    @Command(name = "reference", description = "Print every key with its meaning, default, form, flag and variable.")
    static final class Reference implements Callable<Integer> {
        private static final int WIDTH = 80;
        private static final String INDENT = "    ";

        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private CommandSpec spec;

        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private OutputOptions output;

        @Override
        public Integer call() {
            ArrayNode keys = Json.array();
            Key.ALL.forEach(key -> keys.add(describe(key)));
            ObjectNode document = Json.object();
            document.set("keys", keys);
            if (output.form() == OutputOptions.Form.TABLE) {
                PrintWriter out = spec.commandLine().getOut();
                Key.ALL.forEach(key -> explain(key, out));
                out.flush();
            } else {
                output.print(document, List.copyOf(keys.values()), List.of(), key -> text(key, "key"));
            }
            return ExitCodes.OK;
        }

        /** A paragraph per key, since a table of six columns fits no terminal. */
        private static void explain(Key key, PrintWriter out) {
            out.println(key.path());
            String byDefault = key.defaultText().isEmpty() ? "nothing" : key.defaultText();
            for (String text : List.of(
                    key.meaning(),
                    "default: " + byDefault + "; expected: " + key.expected(),
                    key.flag() + ", " + key.variable())) {
                Rendering.wrapped(text, WIDTH - INDENT.length()).forEach(line -> out.println(INDENT + line));
            }
            out.println();
        }

        private static ObjectNode describe(Key key) {
            return Json.object()
                    .put("key", key.path())
                    .put("default", key.defaultText())
                    .put("expected", key.expected())
                    .put("flag", key.flag())
                    .put("variable", key.variable())
                    .put("meaning", key.meaning());
        }

        private static String text(JsonNode key, String field) {
            return key.path(field).asString("");
        }
    }

    /** Checks a file without starting anything. */
    @Command(
            name = "check",
            description = {
                "Check a configuration file; problems are named with line and column.",
                "The values of variables and flags, which count before it, are not looked at; 'serve' checks them."
            })
    static final class Check implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "the file")
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private Path file;

        @Mixin
        @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
        private OutputOptions output;

        @Override
        public Integer call() {
            List<Problem> problems = new ArrayList<>();
            try {
                ConfigurationReader.read(file, Map.of(), Map.of(), new ConfiguredFiles(InstantSource.system()));
            } catch (ConfigurationException invalid) {
                problems.addAll(invalid.problems());
            }
            PrintWriter err = spec.commandLine().getErr();
            UnknownVariables.in(System.getenv().keySet())
                    .forEach(unknown -> err.println("warning: " + Visible.printable(unknown)
                            + " is no variable of Fairlead, and is ignored ('fairlead config reference' lists those of"
                            + " keys)"));
            problems.forEach(problem -> err.println("error: " + problem));
            print(problems);
            return problems.isEmpty() ? ExitCodes.OK : ExitCodes.ERROR;
        }

        private void print(List<Problem> problems) {
            PrintWriter out = spec.commandLine().getOut();
            switch (output.form()) {
                case TABLE -> out.print(problems.isEmpty() ? file + " is valid\n" : "");
                case JSON -> out.println(Rendering.json(document(problems)));
                case YAML -> out.print(Rendering.yaml(document(problems)));
                case NAME -> out.print(problems.isEmpty() ? file + "\n" : "");
            }
            out.flush();
        }

        private ObjectNode document(List<Problem> problems) {
            ObjectNode document = Json.object().put("file", file.toString()).put("valid", problems.isEmpty());
            ArrayNode all = document.putArray("problems");
            problems.forEach(
                    problem -> all.addObject().put("where", problem.where()).put("message", problem.message()));
            return document;
        }
    }
}
