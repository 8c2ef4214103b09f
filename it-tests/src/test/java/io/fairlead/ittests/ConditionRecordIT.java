package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two writers of one condition in a real cluster, one of which restores the time that it remembers. */
final class ConditionRecordIT {
    /** The columns are as wide as what else stands in them. */
    private static final Pattern EVENT = Pattern.compile("ConditionTravelled +pod/conditions-web");

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("ConditionRecordIT");
    private static final String WEB = "pods/conditions-web";
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    private static Kubectl root;
    private static Kubectl prod;

    @BeforeAll
    static void start() {
        FairleadProcess fairlead = ATTACHED.start().fairlead();
        root = new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig());
        prod = new Kubectl(FOLDER.resolve("prod"), fairlead.kubeconfigOf("prod"));
    }

    @AfterAll
    static void stop() {
        prod.run("delete", "pod,serviceaccount", "conditions-web", "--now", "--wait=false");
        ATTACHED.close();
    }

    @Test
    void outageThatVanishesFromTheCondition_staysInTheRecord() {
        root.succeedWith("""
            apiVersion: fairlead.io/v1alpha1
            kind: ConditionRecord
            metadata: {name: web}
            spec:
              clusters: {matchNames: [prod]}
              resource: core/v1/pods
              conditions: [Ready]
              selector: {matchLabels: {app: conditions-web}}
            """, "apply", "-f", "-");
        root.succeed("wait", "--for=condition=Observing", "conditionrecord/web", "--timeout=60s");
        prod.succeedWith("""
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: conditions-web, namespace: default}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: conditions-web, namespace: default, labels: {app: conditions-web}}
            spec:
              serviceAccountName: conditions-web
              automountServiceAccountToken: false
              containers: [{name: web, image: example.com/none}]
            """, "apply", "-f", "-");
        state("agent", "True", "11:00:00");
        awaitRows(1);
        state("controller", "False", "12:00:00");
        awaitRows(2);
        state("agent", "True", "11:00:00");
        awaitRows(3);

        assertThat(prod.succeed("get", "pod", "conditions-web", "-o", "yaml"))
                .contains("lastTransitionTime: \"2026-01-02T11:00:00Z\"")
                .doesNotContain("2026-01-02T12:00:00Z");
        List<String> rows = rows();
        assertThat(rows.get(0)).contains("|Ready|True|2026-01-02T11:00:00Z|", "|agent|first sight");
        assertThat(rows.get(1)).contains("|Ready|False|2026-01-02T12:00:00Z|").endsWith("|controller|");
        assertThat(rows.get(2)).contains("|Ready|True|2026-01-02T11:00:00Z|", "|agent|TRAVELLED");
        Await.until(
                "the event is there",
                SOON,
                () -> EVENT.matcher(prod.succeed("get", "events")).find());
        assertThat(root.succeed("get", "conditionrecords")).contains("web", "core/v1/pods", "1", "True");
    }

    private static void state(String manager, String status, String time) {
        prod.succeed(
                "patch",
                "pod",
                "conditions-web",
                "--subresource=status",
                "--type=strategic",
                "--field-manager=" + manager,
                "-p",
                "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + status
                        + "\",\"lastTransitionTime\":\"2026-01-02T" + time + "Z\"}]}}");
    }

    private static void awaitRows(int count) {
        Await.until(count + " rows", SOON, () -> rows().size() == count);
    }

    /** Without the header. */
    private static List<String> rows() {
        Output printed = ATTACHED.fairlead().command("history", "conditions", "-c", "prod", WEB, "-n", "default");
        return printed.output()
                .lines()
                .skip(1)
                .map(line -> line.replaceAll(" {3,}", "|"))
                .toList();
    }
}
