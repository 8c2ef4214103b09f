package io.fairlead.ittests;

import io.fairlead.ittests.KubectlSession.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * What people do with kubectl, as one sequence that leaves the cluster as it found it.
 *
 * <p>Each step is named by its command line; the files are those beside this class.
 */
final class ComparisonSteps {
    static final String ADMIN = "admin";
    /** A user whom the cluster grants nothing. */
    static final String STRANGER = "stranger";

    private static final String NAMESPACE = "compare";

    private final List<Step> steps = new ArrayList<>();

    private ComparisonSteps() {}

    static List<Step> all() {
        var all = new ComparisonSteps();
        all.discovery();
        all.explaining();
        all.namespace();
        all.readingForms();
        all.applying();
        all.changing();
        all.describing();
        all.errors();
        all.pods();
        all.customResources();
        all.paging();
        all.watching();
        all.rights();
        all.deleting();
        return List.copyOf(all.steps);
    }

    /**
     * A part of them that touches everything in which one way to reach a cluster could differ from another; each step finds
     * what it finds among all.
     */
    static List<Step> brief() {
        var some = new ComparisonSteps();
        some.discovery();
        some.namespace();
        some.run("create", "secret", "generic", "hidden", "--from-literal=password=swordfish");
        some.watchingSecrets();
        some.rights();
        some.cluster("delete", "namespace", NAMESPACE, "--timeout=60s");
        return List.copyOf(some.steps);
    }

    private void explaining() {
        cluster("explain", "deployment.spec.strategy", "--recursive");
        cluster("explain", "deployment.spec.nothing");
        cluster("explain", "nothings");
    }

    private void discovery() {
        cluster("version", "-o", "yaml");
        cluster("cluster-info");
        cluster("api-versions");
        cluster("api-resources");
        cluster("api-resources", "-o", "wide", "--api-group=apps");
        cluster("explain", "pods");
        for (String path : List.of(
                "/version",
                "/api",
                "/api/v1",
                "/apis",
                "/apis/apps",
                "/apis/apps/v1",
                "/openapi/v3",
                "/readyz?verbose",
                "/livez",
                "/nothing",
                "/apis/nothing.example.com/v1")) {
            cluster("get", "--raw", path);
        }
    }

    private void namespace() {
        cluster("create", "namespace", NAMESPACE);
        cluster("create", "namespace", NAMESPACE, "--save-config");
        cluster("wait", "--for=jsonpath={.status.phase}=Active", "namespace/" + NAMESPACE);
        run("wait", "--for=create", "serviceaccount/default", "--timeout=30s");
        run("wait", "--for=create", "configmap/kube-root-ca.crt", "--timeout=30s");
        run("get", "pods");
        run("get", "all");
        cluster("get", "namespace", NAMESPACE, "-o", "yaml");
    }

    private void readingForms() {
        run("create", "configmap", "first", "--from-literal=a=1", "--from-literal=long=line one, line two");
        run("create", "configmap", "first", "--from-literal=a=1");
        run("create", "secret", "generic", "hidden", "--from-literal=password=swordfish");
        run("create", "configmap", "dry", "--from-literal=a=1", "--dry-run=server", "-o", "yaml");
        for (String form : List.of("wide", "yaml", "json", "name", "jsonpath={.data.a}", "go-template={{.data.a}}")) {
            run("get", "configmap", "first", "-o", form);
        }
        run("get", "configmap", "first", "-o", "custom-columns=NAME:.metadata.name,A:.data.a");
        run("get", "configmap", "first", "-o", "yaml", "--show-managed-fields");
        run("get", "configmap", "first", "--show-labels", "--show-kind");
        run("get", "configmap", "first", "--server-print=false");
        run("get", "configmaps,secrets,serviceaccounts");
        run("get", "cm/first", "secret/hidden", "-o", "name");
        run("get", "secret", "hidden", "-o", "yaml");
        run("label", "configmap", "first", "tier=silver");
        run("label", "configmap", "first", "tier=gold");
        run("annotate", "configmap", "first", "note=checked");
        run("get", "configmaps", "-l", "tier=silver");
        run("get", "configmaps", "--field-selector=metadata.name=first", "--no-headers");
        run("get", "configmaps", "--sort-by=.metadata.name", "-o", "name");
    }

    private void applying() {
        with("deployment.yaml", "diff", "-f", "-");
        with("deployment.yaml", "apply", "-f", "-");
        with("deployment.yaml", "apply", "-f", "-", "--output=name");
        with("deployment.yaml", "diff", "-f", "-", "--show-managed-fields");
        with("deployment-changed.yaml", "diff", "-f", "-");
        with("deployment-changed.yaml", "apply", "-f", "-");
        run("apply", "view-last-applied", "deployment", "web");
        run("get", "deployments", "-o", "wide");
        run("get", "deployment", "web", "-o", "yaml");
        with("server-side.yaml", "apply", "--server-side", "-f", "-");
        with("server-side.yaml", "apply", "--server-side", "-f", "-", "-o", "yaml", "--show-managed-fields");
        with("server-side-other.yaml", "apply", "--server-side", "--field-manager=other", "-f", "-");
        with(
                "server-side-other.yaml",
                "apply",
                "--server-side",
                "--field-manager=other",
                "--force-conflicts",
                "-f",
                "-");
        with("server-side-other.yaml", "diff", "--server-side", "-f", "-");
        run("get", "configmap", "shared", "-o", "yaml", "--show-managed-fields");
    }

    private void changing() {
        run("scale", "deployment", "web", "--replicas=4");
        run("set", "image", "deployment/web", "web=example.com/web:3");
        run(
                "patch",
                "deployment",
                "web",
                "-p",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\","
                        + "\"env\":[{\"name\":\"A\",\"value\":\"1\"}]}]}}}}");
        run("patch", "deployment", "web", "--subresource=scale", "--type=merge", "-p", "{\"spec\":{\"replicas\":1}}");
        run(
                "patch",
                "configmap",
                "first",
                "--type=merge",
                "-p",
                "{\"data\":{\"a\":\"2\",\"long\":null}}",
                "-o",
                "yaml");
        run(
                "patch",
                "configmap",
                "first",
                "--type=json",
                "-p",
                "[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"9\"}]");
        run(
                "patch",
                "configmap",
                "first",
                "--type=json",
                "-p",
                "[{\"op\":\"add\",\"path\":\"/data/c\",\"value\":\"3\"}]");
        run("patch", "configmap", "first", "--type=json", "-p", "[{\"op\":\"remove\",\"path\":\"/data/zzz\"}]");
        run("patch", "configmap", "missing", "--type=merge", "-p", "{}");
        with("replaced.yaml", "replace", "-f", "-");
        with("stale.yaml", "replace", "-f", "-");
        edit("s/a: replaced/a: edited/", "edit", "configmap", "first");
        edit("s/nothing/nothing/", "edit", "configmap", "first", "-o", "yaml");
        run("get", "configmap", "first", "-o", "jsonpath={.data}");
        run("get", "deployment", "web", "-o", "jsonpath={.spec}");
    }

    private void describing() {
        run("describe", "configmap", "first");
        run("describe", "secret", "hidden");
        run("describe", "serviceaccount", "default");
        cluster("describe", "namespace", NAMESPACE);
        cluster("describe", "clusterrole", "view");
    }

    private void errors() {
        run("get", "configmap", "missing");
        run("get", "configmap", "missing", "-o", "yaml");
        run("get", "configmap", "missing", "--ignore-not-found");
        run("get", "nothings");
        run("get", "configmaps", "-l", "a in (b");
        run("get", "configmaps", "--field-selector=data.a=1");
        run("delete", "configmap", "missing");
        with("unknown-field.yaml", "create", "-f", "-");
        with("unknown-field.yaml", "create", "--validate=warn", "--dry-run=server", "-f", "-");
        with("invalid-name.yaml", "create", "-f", "-");
        with("invalid-pod.yaml", "create", "-f", "-", "--validate=false");
        with("invalid-pod.yaml", "apply", "--server-side", "-f", "-");
        with("not-yaml.yaml", "create", "-f", "-");
        with("no-kind.yaml", "create", "-f", "-");
        run("wait", "--for=jsonpath={.data.a}=never", "configmap/first", "--timeout=1s");
        cluster("get", "configmaps", "-n", "missing");
        cluster("create", "configmap", "a", "-n", "missing");
        cluster("top", "nodes");
        with("raw-configmap.json", "create", "--raw", "/api/v1/namespaces/" + NAMESPACE + "/configmaps", "-f", "-");
        with(
                "raw-configmap.json",
                "replace",
                "--raw",
                "/api/v1/namespaces/" + NAMESPACE + "/configmaps/raw",
                "-f",
                "-");
        cluster("delete", "--raw", "/api/v1/namespaces/" + NAMESPACE + "/configmaps/raw");
    }

    private void pods() {
        with("pod.yaml", "apply", "-f", "-");
        run("get", "pods", "-o", "wide");
        run("describe", "pod", "lonely");
        run("logs", "lonely");
        run("set", "image", "pod/lonely", "main=example.com/main:2");
        run("patch", "pod", "lonely", "-p", "{\"spec\":{\"nodeName\":\"elsewhere\",\"restartPolicy\":\"Never\"}}");
        run("delete", "pod", "lonely", "--now");
    }

    private void customResources() {
        with("widgets-crd.yaml", "apply", "-f", "-");
        cluster("wait", "--for=condition=Established", "crd/widgets.compare.example.com", "--timeout=30s");
        cluster("get", "crd", "widgets.compare.example.com");
        cluster("get", "--raw", "/apis/compare.example.com/v1");
        cluster("api-resources", "--api-group=compare.example.com");
        // The OpenAPI document follows a CRD after a moment.
        cluster("wait", "--for=condition=NonStructuralSchema=false", "crd/widgets.compare.example.com", "--timeout=1s");
        with("widget.yaml", "create", "-f", "-");
        with("widget-invalid.yaml", "create", "-f", "-");
        run("get", "widgets");
        run("get", "wd", "small", "-o", "yaml");
        run("get", "widgets.v1.compare.example.com", "small", "-o", "json");
        with("widget-larger.yaml", "replace", "-f", "-");
        run("patch", "widget", "small", "--type=merge", "-p", "{\"spec\":{\"size\":3}}");
        run("patch", "widget", "small", "-p", "{\"spec\":{\"size\":3}}");
        run(
                "patch",
                "widget",
                "small",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"phase\":\"Fine\"}}");
        run("describe", "widget", "small");
        run("get", "widgets", "-A", "-o", "wide");
        run("delete", "widget", "small");
        cluster("delete", "crd", "widgets.compare.example.com");
        run("get", "widgets");
    }

    private void paging() {
        with("many.yaml", "create", "-f", "-");
        run("get", "configmaps", "-l", "set=many", "--chunk-size=3");
        cluster("get", "--raw", "/api/v1/namespaces/" + NAMESPACE + "/configmaps?limit=500&labelSelector=set%3Dmany");
        cluster("get", "--raw", "/api/v1/namespaces/" + NAMESPACE + "/configmaps?limit=-1&continue=nonsense");
        run("delete", "configmaps", "-l", "set=many");
    }

    private void watching() {
        steps.add(new Step.Watch(
                "get configmap -w",
                ADMIN,
                List.of("-n", NAMESPACE, "get", "configmaps", "--output-watch-events", "-w", "-l", "watched=yes"),
                0,
                List.of()));
        watchingSecrets();
        steps.add(new Step.Watch(
                "get configmap -w -o name",
                ADMIN,
                List.of("-n", NAMESPACE, "get", "configmap", "shared", "-w", "-o", "name"),
                1,
                List.of(List.of("-n", NAMESPACE, "annotate", "configmap", "shared", "seen=yes"))));
    }

    private void watchingSecrets() {
        steps.add(new Step.Watch(
                "get secrets -w of creation, change and deletion",
                ADMIN,
                List.of("-n", NAMESPACE, "get", "secrets", "--output-watch-events", "-w"),
                2,
                List.of(
                        List.of("-n", NAMESPACE, "create", "secret", "generic", "seen", "--from-literal=a=1"),
                        List.of("-n", NAMESPACE, "label", "secret", "seen", "changed=yes"),
                        List.of("-n", NAMESPACE, "delete", "secret", "seen"))));
    }

    private void rights() {
        cluster("auth", "whoami", "-o", "yaml");
        run("auth", "can-i", "delete", "pods");
        run("auth", "can-i", "--list");
        stranger("auth", "whoami");
        stranger("auth", "can-i", "delete", "pods");
        stranger("auth", "can-i", "--list");
        stranger("get", "configmaps");
        stranger("get", "configmap", "first", "-o", "yaml");
        stranger("create", "configmap", "mine");
        stranger("delete", "namespace", NAMESPACE);
        stranger("get", "--raw", "/metrics");
    }

    private void deleting() {
        run("delete", "deployment", "web", "--cascade=foreground", "--wait=false");
        run("delete", "configmap", "first", "shared", "--dry-run=server");
        run("delete", "configmap", "first", "shared");
        run("delete", "secret", "hidden", "--grace-period=0", "--force");
        cluster("delete", "namespace", NAMESPACE, "--timeout=60s");
        cluster("get", "namespace", NAMESPACE);
    }

    private void cluster(String... arguments) {
        add(ADMIN, List.of(arguments), "", "");
    }

    private void run(String... arguments) {
        add(ADMIN, inNamespace(arguments), "", "");
    }

    private void stranger(String... arguments) {
        add(STRANGER, inNamespace(arguments), "", "");
    }

    private void with(String input, String... arguments) {
        add(ADMIN, inNamespace(arguments), input, "");
    }

    private void edit(String sed, String... arguments) {
        add(ADMIN, inNamespace(arguments), "", sed);
    }

    private static List<String> inNamespace(String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        if (!List.of(arguments).contains("--raw")) {
            all.addAll(List.of("-n", NAMESPACE));
        }
        return all;
    }

    private void add(String user, List<String> arguments, String input, String editor) {
        String command = (user.equals(ADMIN) ? "" : user + ": ")
                + String.join(" ", arguments)
                + (input.isEmpty() ? "" : " < " + input);
        long before =
                steps.stream().filter(step -> step.name().startsWith(command)).count();
        steps.add(new Step.Command(
                before == 0 ? command : command + " (again, " + before + ")", user, arguments, input, editor));
    }
}
