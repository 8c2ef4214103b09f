package io.fairlead.cli;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.warm.StartCache;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.Key;
import io.fairlead.config.NamedFiles;
import io.fairlead.config.Problem;
import io.fairlead.gateway.ConfiguredFiles;
import io.fairlead.gateway.Gateway;
import io.fairlead.gateway.StartFailure;
import io.fairlead.gateway.StartPhases;
import io.fairlead.gateway.logging.Logging;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Runs the gateway until it is stopped. Every key of the configuration is a flag. */
@Command(
        name = "serve",
        description = "Run the gateway.",
        sortOptions = false,
        modelTransformer = ServeCommand.Flags.class)
final class ServeCommand implements Callable<Integer> {
    private static final String CONFIG_VARIABLE = "FAIRLEAD_CONFIG";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "a YAML file of these keys; else $" + CONFIG_VARIABLE + ", else none")
    @Nullable
    private Path file;

    @Override
    public Integer call() throws CommandFailure {
        Configuration configuration = configuration();
        long configured = System.nanoTime();
        Logging.configure(configuration.logFormat(), configuration.logLevel());
        StartPhases phases = new StartPhases();
        phases.done("JVM", Main.BEGAN_NANOS);
        phases.done("configuration", configured);
        try (Gateway gateway = Gateway.start(configuration, this::read)) {
            announce(gateway, configuration.selection().defaultCluster());
            StartCache.tell();
            gateway.awaitTermination();
            return ExitCodes.OK;
        } catch (StartFailure failure) {
            throw CommandFailure.of(String.valueOf(failure.getMessage()), failure.hint());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCodes.ERROR;
        }
    }

    private Configuration configuration() throws CommandFailure {
        try {
            return read(new ConfiguredFiles(InstantSource.system()));
        } catch (ConfigurationException invalid) {
            List<Problem> problems = invalid.problems();
            PrintWriter err = spec.commandLine().getErr();
            problems.subList(0, problems.size() - 1).forEach(problem -> err.println("error: " + problem));
            boolean wrongUsage = problems.stream().anyMatch(Problem::isWrongUsage);
            throw CommandFailure.of(problems.getLast().toString(), "'fairlead config reference' explains every key")
                    .withExitCode(wrongUsage ? ExitCodes.USAGE : ExitCodes.ERROR);
        }
    }

    private Configuration read(NamedFiles files) throws ConfigurationException {
        return ConfigurationReader.read(file(), System.getenv(), flags(), files);
    }

    private @Nullable Path file() {
        String variable = System.getenv(CONFIG_VARIABLE);
        return file == null && variable != null && !variable.isEmpty() ? Path.of(variable) : file;
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

    private void announce(Gateway gateway, String defaultCluster) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Fairlead is ready at " + gateway.endpoint());
        out.println("kubeconfig: " + gateway.kubeconfig());
        out.println("try:        kubectl --kubeconfig "
                + quoted(gateway.kubeconfig().toString()) + " get clusters");
        if (gateway.isFirstStart() && !defaultCluster.equals(Configuration.Selection.NO_CLUSTER)) {
            out.println("hint:       a request that names no cluster goes to \"" + defaultCluster
                    + "\"; with --selection-default-cluster none it is refused");
        }
        out.flush();
    }

    private static String quoted(String path) {
        return path.matches("[A-Za-z0-9_./~+:@-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
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
