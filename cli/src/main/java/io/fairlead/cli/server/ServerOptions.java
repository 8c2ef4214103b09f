package io.fairlead.cli.server;

import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The server and user of a command. Never the user's ordinary kubeconfig unless it is named. */
public final class ServerOptions {
    /** Names the kubeconfig. */
    public static final String VARIABLE = "FAIRLEAD_KUBECONFIG";

    private static final String DATA_DIR_VARIABLE = "FAIRLEAD_DATA_DIR";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "the kubeconfig of the Fairlead server; else $" + VARIABLE + ", else <data-dir>/admin.kubeconfig")
    @Nullable
    private Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "the context that leads to the Fairlead server; else the current one of its kubeconfig")
    @Nullable
    private String context;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "the data directory of the Fairlead server; else $" + DATA_DIR_VARIABLE + ", else ./fairlead-data")
    @Nullable
    private Path dataDir;

    /** Connects to the server; one that is not a Fairlead is refused before any other request. */
    public FairleadClient connect() throws CommandFailure {
        Path file = file();
        return FairleadClient.connect(target(read(file), file), file);
    }

    /** Whether the command line selects a server. */
    public boolean isNamed() {
        return kubeconfig != null || context != null || dataDir != null;
    }

    /** Whether {@code --context} names a context that the server's kubeconfig does not have. */
    public boolean namesMissingContext() throws CommandFailure {
        return context != null && !read(file()).contexts().contains(context);
    }

    /** The kubeconfig that {@link #connect} uses. */
    public Path file() {
        if (kubeconfig != null) {
            return kubeconfig;
        }
        String variable = System.getenv(VARIABLE);
        return variable != null && !variable.isEmpty()
                ? Path.of(variable)
                : dataDir().resolve("admin.kubeconfig");
    }

    /** The name of the user of the context in use. */
    public String user(Kubeconfig config) {
        String name = context == null ? config.currentContext() : context;
        return String.valueOf(
                config.entry("contexts", "context", name).orElse(Map.of()).get("user"));
    }

    public Kubeconfig read(Path file) throws CommandFailure {
        if (!Files.exists(file)) {
            throw CommandFailure.of(
                    file + " does not exist (expected the kubeconfig of a Fairlead server)",
                    "start one with 'fairlead serve', or name another with --kubeconfig or --data-dir");
        }
        try {
            return Kubeconfig.read(file);
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    /** The server URL of the context in use. */
    public Target target(Kubeconfig config, Path file) throws CommandFailure {
        try {
            return Target.of(config, context, file.toAbsolutePath().getParent());
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    private Path dataDir() {
        if (dataDir != null) {
            return dataDir;
        }
        String variable = System.getenv(DATA_DIR_VARIABLE);
        return Path.of(variable != null && !variable.isEmpty() ? variable : "fairlead-data");
    }
}
