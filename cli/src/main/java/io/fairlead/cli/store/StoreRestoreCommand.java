package io.fairlead.cli.store;

import io.fairlead.cli.server.ArchiveInput;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationException;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.gateway.ArchiveCheck;
import io.fairlead.gateway.ConfiguredFiles;
import io.fairlead.gateway.StartFailure;
import io.fairlead.gateway.StoreRestoration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the store of a data directory from an archive. No server runs meanwhile. */
@Command(
        name = "restore",
        description = {
            "Make the store of a data directory from a file that 'store backup' wrote; no server runs on it.",
            "A file that is cut off or changed is refused, and a directory that has a store is left as it is."
        })
final class StoreRestoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ArchiveInput file;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "the data directory of the server; else $FAIRLEAD_DATA_DIR, else ./fairlead-data")
    @Nullable
    private Path dataDir;

    @Override
    public Integer call() throws CommandFailure {
        try (InputStream in = file.open("fairlead store backup")) {
            StoreRestoration.Result restored = StoreRestoration.into(configuration(), in, InstantSource.system());
            spec.commandLine()
                    .getOut()
                    .println("restored " + restored.entries() + " entries of " + restored.time() + " into "
                            + restored.directory() + "; a server of this data directory takes the place of the one"
                            + " that was backed up, and must not run beside it");
            spec.commandLine().getOut().flush();
            return ExitCodes.OK;
        } catch (ArchiveCheck.DamagedException damaged) {
            throw file.failure(String.valueOf(damaged.getMessage()));
        } catch (StartFailure failure) {
            throw CommandFailure.of(String.valueOf(failure.getMessage()), failure.hint());
        } catch (IOException unreadable) {
            throw file.failure(unreadable);
        }
    }

    /** As that of a server with this data directory and nothing else. */
    private Configuration configuration() throws CommandFailure {
        Map<String, String> flags = dataDir == null ? Map.of() : Map.of("dataDir", dataDir.toString());
        try {
            return ConfigurationReader.read(null, System.getenv(), flags, new ConfiguredFiles(InstantSource.system()));
        } catch (ConfigurationException invalid) {
            throw CommandFailure.of(invalid.problems().getLast().toString());
        }
    }
}
