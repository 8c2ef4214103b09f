package io.fairlead.cli;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.warm.StartCache;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the gateway, from its arguments to its end.
 *
 * @param file what {@code --config} names, or null
 * @param flags the values of keys, by their paths
 * @param out for what it announces
 * @param err for what is wrong with the configuration
 */
record Serving(@Nullable Path file, Map<String, String> flags, PrintWriter out, PrintWriter err) {
    static final String CONFIG_VARIABLE = "FAIRLEAD_CONFIG";
    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    Serving {
        flags = Map.copyOf(flags);
    }

    /** Serves until the process is told to end, and returns its exit code. */
    int run() throws CommandFailure {
        Gateway.preload();
        Configuration configuration = configuration();
        long configured = System.nanoTime();
        Logging.configure(configuration.logFormat(), configuration.logLevel(), configuration.logLevels());
        UnknownVariables.in(System.getenv().keySet()).forEach(Serving::warn);
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

    private static void warn(String unknown) {
        LOG.atWarn()
                .addKeyValue("variable", unknown)
                .log("A variable is none of Fairlead, and is ignored ('fairlead config reference' lists those of"
                        + " keys)");
    }

    private Configuration configuration() throws CommandFailure {
        try {
            return read(new ConfiguredFiles(InstantSource.system()));
        } catch (ConfigurationException invalid) {
            List<Problem> problems = invalid.problems();
            problems.subList(0, problems.size() - 1).forEach(problem -> err.println("error: " + problem));
            boolean wrongUsage = problems.stream().anyMatch(Problem::isWrongUsage);
            throw CommandFailure.of(problems.getLast().toString(), "'fairlead config reference' explains every key")
                    .withExitCode(wrongUsage ? ExitCodes.USAGE : ExitCodes.ERROR);
        }
    }

    private Configuration read(NamedFiles files) throws ConfigurationException {
        return ConfigurationReader.read(configured(), System.getenv(), flags, files);
    }

    private @Nullable Path configured() {
        String variable = System.getenv(CONFIG_VARIABLE);
        return file == null && variable != null && !variable.isEmpty() ? Path.of(variable) : file;
    }

    private void announce(Gateway gateway, String defaultCluster) {
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
}
