package io.fairlead.gateway.cli;

import io.fairlead.gateway.kubeconfig.Kubeconfig;
import io.fairlead.gateway.kubeconfig.KubeconfigException;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Prints a kubeconfig with a context per cluster, or merges it into a file. */
@Command(
        name = "kubeconfig",
        description = "Print a kubeconfig of clusters, or merge it into a file.",
        mixinStandardHelpOptions = true)
final class KubeconfigCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private ServerOptions server;

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            converter = ClusterId.class,
            description = "the clusters; every one that you may enter where none is named")
    private List<ClusterName> names = new ArrayList<>();

    @Option(names = "--all", description = "every cluster that you may enter")
    private boolean all;

    @Option(names = "--form", paramLabel = "FORM", defaultValue = "path", description = "path: URL/clusters/ID")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String form;

    @Option(
            names = "--merge",
            paramLabel = "FILE",
            description = "add the entries to this kubeconfig instead; others in it and its current context stay")
    @Nullable
    private Path merge;

    @Override
    public Integer call() throws CommandFailure {
        requireValid();
        Path file = server.file();
        Kubeconfig source = server.read(file);
        try (FairleadClient client = server.connect()) {
            Kubeconfig result = merge == null ? Kubeconfig.empty() : target(merge);
            add(result, source, client, clusters(client));
            write(result);
            return ExitCodes.OK;
        } catch (StatusFailure refused) {
            throw refused.asFailure();
        }
    }

    private void requireValid() {
        if (all && !names.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--all and ids exclude each other");
        }
        if (!form.equals("path")) {
            throw new ParameterException(spec.commandLine(), "form \"" + form + "\" (expected path)");
        }
    }

    private List<String> clusters(FairleadClient client) throws CommandFailure, StatusFailure {
        if (names.isEmpty()) {
            return client.get(Paths.FLEET).path("clusters").values().stream()
                    .filter(cluster -> !cluster.path("retained").asBoolean(false))
                    .map(cluster -> cluster.path("name").asString(""))
                    .toList();
        }
        List<String> known = new ArrayList<>();
        for (ClusterName name : names) {
            JsonNode cluster = client.get(Paths.fleet(name));
            known.add(cluster.path("name").asString(name.value()));
        }
        return known;
    }

    private void add(Kubeconfig result, Kubeconfig source, FairleadClient client, List<String> clusters)
            throws CommandFailure {
        Map<String, Object> context = section(source, "contexts", "context", server.context(source));
        String user = String.valueOf(context.get("user"));
        String ca = String.valueOf(section(source, "clusters", "cluster", String.valueOf(context.get("cluster")))
                .getOrDefault("certificate-authority-data", ""));
        result.setUser(user, section(source, "users", "user", user));
        for (String cluster : clusters) {
            result.setClusterWithData(cluster, client.origin() + "/clusters/" + cluster, ca);
            result.setContext(cluster, cluster, user);
        }
        if (result.currentContext().isEmpty() && !clusters.isEmpty()) {
            result.setCurrentContext(clusters.getFirst());
        }
    }

    private static Map<String, Object> section(Kubeconfig source, String section, String field, String name)
            throws CommandFailure {
        Optional<Map<String, Object>> entry = source.entry(section, field, name);
        if (entry.isEmpty()) {
            throw CommandFailure.of(source.source() + ": " + field + " \"" + name + "\" does not exist");
        }
        return entry.get();
    }

    private static Kubeconfig target(Path file) throws CommandFailure {
        try {
            return Files.exists(file) ? Kubeconfig.read(file) : Kubeconfig.empty();
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    private void write(Kubeconfig result) throws CommandFailure {
        if (merge == null) {
            spec.commandLine().getOut().print(result.text());
            spec.commandLine().getOut().flush();
            return;
        }
        try {
            result.write(merge);
        } catch (IOException unwritable) {
            throw CommandFailure.of(merge + " cannot be written (" + unwritable.getMessage() + ")");
        }
    }
}
