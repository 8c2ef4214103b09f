package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/metrics.md names what a whole gateway counts, and nothing else. */
class MetricsPageTest {
    private static final Pattern COUNTED = Pattern.compile("(?m)^# TYPE (\\S+) \\w+$");
    private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** What the JVM and its libraries say of the process; the page has their prefixes. */
    private static final Pattern OF_THE_PROCESS = Pattern.compile("(jvm|process)_.*");

    @TempDir
    private Path folder;

    @Test
    void page_namesEverySeries_andNoOther() throws Exception {
        Set<String> documented = documented();
        try (TwoGateways both = new TwoGateways(folder)) {
            Path nowhere = Files.writeString(folder.resolve("nowhere.kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: nowhere, cluster: {server: "https://127.0.0.1:1"}}]
                users: [{name: nowhere, user: {token: abc}}]
                contexts: [{name: nowhere, context: {cluster: nowhere, user: nowhere}}]
                current-context: nowhere
                """);
            both.command("cluster", "attach", "nowhere", "--no-wait", "--from-kubeconfig", nowhere.toString());
            both.create("near", "/apis/fairlead.io/v1alpha1/conditionrecords", """
                {"apiVersion": "fairlead.io/v1alpha1", "kind": "ConditionRecord", "metadata": {"name": "namespaces"},
                "spec": {"clusters": {"all": true}, "resource": "core/v1/namespaces", "conditions": ["Ready"]}}
                """);
            both.get("near", "/clusters/dev/api/v1/namespaces?watch=1&timeoutSeconds=1");
            both.get("near", "/clusters/far/api/v1/namespaces?watch=1&timeoutSeconds=1");

            Set<String> counted = new TreeSet<>();
            TwoGateways.await(() -> "documented: " + documented + "\ncounted:    " + counted, () -> {
                counted.clear();
                counted.addAll(counted(both));
                return counted.equals(documented);
            });
        }
    }

    private static Set<String> counted(TwoGateways both) throws Exception {
        return names(COUNTED, both.get("/metrics").body());
    }

    private static Set<String> documented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "metrics.md"));
        return FIRST_COLUMN
                .matcher(page)
                .results()
                .flatMap(row -> names(NAME, row.group(1)).stream())
                .filter(name -> !name.endsWith("…"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !OF_THE_PROCESS.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
