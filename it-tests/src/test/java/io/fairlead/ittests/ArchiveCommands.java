package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands that read and write archives, and what they leave. */
final class ArchiveCommands {
    private static final Pattern CLUSTER_OF_DATA = Pattern.compile("\\{\"key\":\"/c/([^/\"]+)/");
    private static final Pattern CLUSTER = Pattern.compile("\\{\"key\":\"/clusters/[^\"]+\".*\"uid\":\"([^\"]+)\"");

    private ArchiveCommands() {}

    /** Fails the test unless the command succeeds. */
    static Output succeed(FairleadProcess fairlead, String... command) {
        Output output = fairlead.command(command);
        assertThat(output.exitCode()).as("%s: %s", List.of(command), output).isZero();
        return output;
    }

    /** The names that {@code cluster list} says, those of data without a registration among them. */
    static List<String> clusters(FairleadProcess fairlead) {
        return succeed(fairlead, "cluster", "list", "-o", "name")
                .output()
                .lines()
                .toList();
    }

    /** {@code store restore}, which needs no server. */
    static Output restore(Path folder, Path file, Path dataDir) {
        return Output.of(
                folder, Map.of(), "", FairleadProcess.COMMAND_TIMEOUT, restoreCommand(file.toString(), dataDir));
    }

    /** The command line of that; a file {@code -} is the standard input. */
    static List<String> restoreCommand(String file, Path dataDir) {
        return List.of(
                Checkout.launcher().toString(), "store", "restore", "-f", file, "--data-dir", dataDir.toString());
    }

    /** What is a store in a data directory, or the beginning of one. */
    static List<String> stores(Path dataDir) throws IOException {
        if (!Files.exists(dataDir)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(dataDir)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith("store"))
                    .sorted()
                    .toList();
        }
    }

    /** The keys of a store that belong to no cluster: imports that have begun, and data that no cluster has. */
    static Set<String> ownerless(ArchiveFile store) {
        var clusters = new HashSet<String>();
        var data = new HashSet<String>();
        var ownerless = new HashSet<String>();
        for (String entry : store.entries()) {
            Matcher ofData = CLUSTER_OF_DATA.matcher(entry);
            Matcher cluster = CLUSTER.matcher(entry);
            if (ofData.lookingAt()) {
                data.add(ofData.group(1));
            } else if (cluster.lookingAt()) {
                clusters.add(cluster.group(1));
            } else if (entry.contains("-clusters/")) {
                ownerless.add(entry);
            }
        }
        assertThat(clusters).isNotEmpty();
        assertThat(data).containsAll(clusters);
        data.removeAll(clusters);
        ownerless.addAll(data);
        return ownerless;
    }

    /** What is wrong with the refusals of damaged archives by {@code cluster import}, and with what they leave. */
    static List<String> wrongImports(
            FairleadProcess fairlead, String name, Path folder, ArchiveFile archive, List<ArchiveDamage> damages)
            throws Exception {
        String clusters = "/clusters/root/apis/fairlead.io/v1alpha1/clusters/" + name;
        var wrong = new ArrayList<String>();
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), TwinClusters.ADMIN.token())) {
            for (ArchiveDamage damage : damages) {
                Path file =
                        Files.write(folder.resolve("import.jsonl"), damage.by().apply(archive));
                wrong.add(damage.problemWith(fairlead.command("cluster", "import", name, "-f", file.toString())));
                String fleet = probe.get("/fairlead/v1/clusters").body();
                if (probe.get(clusters).status() != 404 || fleet.contains("\"" + name + "\"")) {
                    wrong.add(damage.what() + ": there is a cluster: " + fleet);
                }
            }
        }
        wrong.removeIf(String::isEmpty);
        return wrong;
    }

    /** The same of {@code store restore}. */
    static List<String> wrongRestorations(Path dataDir, Path folder, ArchiveFile archive, List<ArchiveDamage> damages)
            throws Exception {
        var wrong = new ArrayList<String>();
        for (ArchiveDamage damage : damages) {
            Path file = Files.write(folder.resolve("restore.jsonl"), damage.by().apply(archive));
            wrong.add(damage.problemWith(restore(folder, file, dataDir)));
            if (!stores(dataDir).isEmpty()) {
                wrong.add(damage.what() + ": there is " + stores(dataDir));
                Checkout.removeTree(dataDir);
            }
        }
        wrong.removeIf(String::isEmpty);
        return wrong;
    }
}
