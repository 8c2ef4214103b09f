package io.fairlead.cli;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.config.Key;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Runs the gateway until it is stopped. Every key of the configuration is a flag. {@link PlainServe} does the same for plain
 * arguments.
 */
@Command(
        name = "serve",
        description = "Run the gateway.",
        sortOptions = false,
        abbreviateSynopsis = true,
        modelTransformer = ServeCommand.Flags.class)
final class ServeCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "a YAML file of these keys; else $" + Serving.CONFIG_VARIABLE + ", else none")
    @Nullable
    private Path file;

    @Override
    public Integer call() throws CommandFailure {
        CommandLine command = spec.commandLine();
        return new Serving(file, flags(), command.getOut(), command.getErr()).run();
    }

    private Map<String, String> flags() {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<String, String> flags = new HashMap<>();
        for (Key key : Key.ALL) {
            String value = parsed.matchedOptionValue(key.flag(), null);
            if (value != null) {
                flags.put(key.path(), value);
            }
        }
        return flags;
    }

    /** Creates a flag for every key. */
    static final class Flags implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            for (Key key : Key.ALL) {
                command.addOption(flag(key));
            }
            return command;
        }

        private static OptionSpec flag(Key key) {
            String def = key.defaultText().isEmpty() ? "" : " (default: " + key.defaultText() + ")";
            OptionSpec.Builder flag = OptionSpec.builder(key.flag())
                    .type(String.class)
                    .paramLabel("VALUE")
                    .description((key.meaning() + def).replace("%", "%%"));
            return key.isSwitch()
                    ? flag.arity("0..1").fallbackValue("true").build()
                    : flag.arity("1").build();
        }
    }
}
