package io.fairlead.cli.types;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.model.ClusterName;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Prints a lock of the types of clusters and packages. */
@Command(
        name = "lock",
        description = "Print a lock file that pins the types of clusters and packages.",
        exitCodeOnExecutionException = 4,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed", "4:something could not be read; nothing is printed"})
final class TypesLockCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "ID",
            converter = ClusterId.class,
            description = "lock this cluster; several if given several times. Without this and without packages, all"
                    + " clusters that you may enter")
    private List<ClusterName> clusters = new ArrayList<>();

    @Option(
            names = {"-p", "--package"},
            paramLabel = "SOURCE",
            description = "lock this package: " + PackageSource.EXPECTED + "; several if given several times")
    private List<String> packages = new ArrayList<>();

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private OutputOptions output;

    @Override
    public Integer call() throws CommandFailure {
        List<PackageSource> sources = sources();
        try {
            TypeLock.Pinned pinned = new TypeLock.Pinned(clusters(), packages(sources));
            if (pinned.isEmpty()) {
                throw CommandFailure.of("you may enter no cluster (expected at least one to lock)");
            }
            print(pinned);
            return ExitCodes.OK;
        } catch (CommandFailure failure) {
            throw failure.withExitCode(ExitCodes.FAILED);
        } catch (StatusFailure refused) {
            throw refused.asFailure().withExitCode(ExitCodes.FAILED);
        }
    }

    /** A lock is JSON, which is YAML too; it must be readable again. */
    private void print(TypeLock.Pinned pinned) {
        PrintWriter out = spec.commandLine().getOut();
        switch (output.form()) {
            case TABLE, JSON, YAML -> out.println(TypeLock.write(pinned).toPrettyString());
            case NAME -> {
                pinned.clusters().forEach(cluster -> out.println("cluster:" + cluster.name()));
                pinned.packages().forEach(source -> out.println(source.name()));
            }
        }
        out.flush();
    }

    private List<LockedTypes> clusters() throws CommandFailure, StatusFailure {
        List<LockedTypes> locked = new ArrayList<>();
        if (clusters.isEmpty() && !packages.isEmpty()) {
            return locked;
        }
        try (FairleadClient client = server.connect()) {
            for (ClusterName cluster : clusters.isEmpty() ? all(client) : new TreeSet<>(clusters)) {
                locked.add(LockedTypes.ofCluster(cluster.value(), new ClusterTypes(cluster, server).read(client)));
            }
        }
        return locked;
    }

    private static Iterable<ClusterName> all(FairleadClient client) throws CommandFailure, StatusFailure {
        TreeSet<ClusterName> all = new TreeSet<>();
        for (JsonNode cluster : client.get(Paths.FLEET).path("clusters").values()) {
            if (!cluster.path("retained").asBoolean(false)) {
                all.add(new ClusterName(cluster.path("name").asString("")));
            }
        }
        return all;
    }

    private List<PackageSource> sources() throws CommandFailure {
        List<PackageSource> sources = new ArrayList<>();
        for (String text : new TreeSet<>(packages)) {
            sources.add(PackageSource.of(text));
        }
        return sources;
    }

    private static List<LockedTypes> packages(List<PackageSource> sources) throws CommandFailure {
        List<LockedTypes> locked = new ArrayList<>();
        for (PackageSource source : sources) {
            locked.add(LockedTypes.ofPackage(source, source.read()));
        }
        return locked;
    }
}
