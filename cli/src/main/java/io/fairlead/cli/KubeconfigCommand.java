package io.fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.print.OutputOptions;
import io.fairlead.cli.print.Rendering;
import io.fairlead.cli.server.ClusterId;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.ExitCodes;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerCommand;
import io.fairlead.cli.server.StatusFailure;
import io.fairlead.cli.server.UsageProblem;
import io.fairlead.config.Configuration;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.KubeconfigFile;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints a kubeconfig with a context per cluster, or merges it into a file. */
@Command(name = "kubeconfig", description = "Print a kubeconfig of clusters, or merge it into a file.")
final class KubeconfigCommand extends ServerCommand {
    private static final List<String> FILE_FIELDS = List.of("client-certificate", "client-key", "tokenFile");

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            converter = ClusterId.class,
            description = "the clusters; every one that you may enter where none is named")
    private List<ClusterName> names = new ArrayList<>();

    @Option(names = "--all", description = "every cluster that you may enter")
    private boolean all;

    @Option(
            names = "--form",
            paramLabel = "FORM",
            defaultValue = "path",
            completionCandidates = Forms.class,
            description = "how the URLs name the cluster: path (URL/clusters/ID, the default) or host (ID.BASE-DOMAIN)")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private String form;

    @Option(
            names = "--merge",
            paramLabel = "FILE",
            description = "add the entries to this kubeconfig instead; others in it and its current context stay")
    @Nullable
    private Path merge;

    @Override
    public void prepare() {
        if (all && !names.isEmpty()) {
            throw wrongUsage("--all and ids exclude each other");
        }
        if (!Forms.ALL.contains(form)) {
            throw wrongUsage(UsageProblem.unfit("--form", form, UsageProblem.oneOf(Forms.ALL)));
        }
    }

    @Override
    public int run(FairleadClient client) throws CommandFailure, StatusFailure {
        try {
            Map<String, String> servers = servers(client);
            if (servers.isEmpty()) {
                return noCluster(client);
            }
            FleetEntries entries = entries(client, servers);
            if (merge == null) {
                print(entries, noteOfDroppedPaths(client, servers.keySet()));
            } else {
                String source = merge.toString();
                new KubeconfigFile(merge).<CommandFailure>update(text -> entries.mergedInto(text, source));
                printMerged(merge, entries, Kubeconfig.read(merge).currentContext());
            }
            return ExitCodes.OK;
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    /** Prints and writes nothing: kubectl treats a kubeconfig without a context as one for localhost:8080. */
    private int noCluster(FairleadClient client) {
        err().println("No clusters found: you may enter none of " + client.origin()
                + "; an administrator binds the verb \"access\" on clusters.fairlead.io/NAME to you in cluster root");
        err().println(merge == null ? "No kubeconfig was printed." : merge + " was not changed.");
        return ExitCodes.OK;
    }

    private Map<String, String> servers(FairleadClient client) throws CommandFailure, StatusFailure {
        String baseDomain = form.equals("host") ? baseDomain(client) : "";
        Map<String, String> servers = new LinkedHashMap<>();
        for (String cluster : clusters(client)) {
            servers.put(
                    cluster,
                    baseDomain.isEmpty()
                            ? client.origin() + "/clusters/" + cluster
                            : "https://" + cluster + "." + baseDomain + port(client.origin()));
        }
        return servers;
    }

    private static String baseDomain(FairleadClient client) throws CommandFailure, StatusFailure {
        String baseDomain = client.get(Paths.VERSION).path("baseDomain").asString("");
        if (baseDomain.isEmpty()) {
            throw CommandFailure.of(
                    client.origin() + " does not select clusters by host (expected a server with a base domain)",
                    "start it with --base-domain NAME, or use --form path");
        }
        return baseDomain;
    }

    private static String port(URI origin) {
        return origin.getPort() < 0 ? "" : ":" + origin.getPort();
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

    private FleetEntries entries(FairleadClient client, Map<String, String> servers) throws CommandFailure {
        Path file = server().file();
        Kubeconfig source = server().read(file);
        String user = server().user(source);
        Map<String, Object> trust = new LinkedHashMap<>();
        Target target = server().target(source, file);
        if (target.caCertificates() != null) {
            trust.put("certificate-authority-data", base64(target.caCertificates()));
        }
        if (target.tlsServerName() != null && form.equals("path")) {
            trust.put("tls-server-name", target.tlsServerName());
        }
        Map<String, Object> credential =
                new LinkedHashMap<>(source.entry("users", "user", user).orElse(Map.of()));
        // Relative file names are resolved against the kubeconfig that contains them.
        Path folder = file.toAbsolutePath().resolveSibling("");
        for (String field : FILE_FIELDS) {
            credential.computeIfPresent(
                    field, (_, name) -> folder.resolve(name.toString()).toString());
        }
        return new FleetEntries(client.origin(), trust, user, credential, servers);
    }

    private void print(FleetEntries entries, String note) {
        Kubeconfig kubeconfig = entries.alone();
        switch (output().form()) {
            case TABLE, YAML -> out().print(note + kubeconfig.text());
            case JSON ->
                out().println(Rendering.json(Yaml.read(kubeconfig.text().getBytes(UTF_8))));
            case NAME -> kubeconfig.contexts().forEach(out()::println);
        }
        out().flush();
    }

    private void printMerged(Path file, FleetEntries entries, String current) {
        Set<String> contexts = entries.servers().keySet();
        if (output().form() == OutputOptions.Form.TABLE) {
            String merged = (contexts.size() == 1 ? "context " : "contexts ") + String.join(", ", contexts);
            out().println("merged " + merged + " into " + file + ", whose current context is "
                    + (current.isEmpty() ? "none" : current));
            out().flush();
            return;
        }
        ObjectNode document = Json.object().put("file", file.toString()).put("currentContext", current);
        ArrayNode merged = document.putArray("contexts");
        contexts.forEach(merged::add);
        output().print(document, List.copyOf(merged.values()), List.of(), context -> context.asString(""));
    }

    /** A note for users of the path form, as a comment; empty if a request without the path reaches no cluster. */
    private String noteOfDroppedPaths(FairleadClient client, Set<String> clusters)
            throws CommandFailure, StatusFailure {
        String fallback = client.get(Paths.VERSION).path("defaultCluster").asString("");
        boolean isHarmless = fallback.isEmpty()
                || fallback.equals(Configuration.Selection.NO_CLUSTER)
                || Set.of(fallback).containsAll(clusters);
        return form.equals("path") && !isHarmless
                ? "# kubectl proxy, and kubectl before 1.34 with --raw, drop the path of a server's URL and reach"
                        + " cluster \""
                        + fallback + "\";\n# a server with --selection-default-cluster none refuses them.\n"
                : "";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** How URLs select clusters. */
    static final class Forms implements Iterable<String> {
        private static final List<String> ALL = List.of("path", "host");

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }
}
