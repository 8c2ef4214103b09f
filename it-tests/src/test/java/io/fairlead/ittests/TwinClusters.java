package io.fairlead.ittests;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A real kube-apiserver and a hosted cluster, with the same users and objects, that are asked the same. */
final class TwinClusters implements AutoCloseable {
    static final KubeCluster.User ADMIN =
            new KubeCluster.User("token-of-root", "root", "uid-of-root", "system:masters");

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String ENTER = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: enter-dev}
        rules:
        - {apiGroups: [fairlead.io], resources: [clusters], resourceNames: [dev], verbs: [access]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: enter-dev}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:authenticated"}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: enter-dev}
        """;

    private final KubeCluster kube;
    private final FairleadProcess fairlead;
    private final List<Kubectl> kubectls;
    private final List<Path> kubeconfigs;
    private final List<String> urls;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(TrustEveryone.context())
            .connectTimeout(TIMEOUT)
            .build();

    private TwinClusters(String name, List<KubeCluster.User> users, List<String> apiserverFlags, String builtIns) {
        Path folder = Checkout.scratch(name);
        this.kube = KubeCluster.start(
                Checkout.scratch(name + "-kube"), apiserverFlags, users.toArray(KubeCluster.User[]::new));
        this.fairlead = FairleadProcess.start(
                folder,
                "--token-auth-file",
                FairleadUsers.tokenFile(folder, users).toString());
        Output created = fairlead.command("cluster", "create", "dev", "--built-ins", builtIns);
        if (created.exitCode() != 0) {
            throw new AssertionError("cluster create: " + created);
        }
        new Kubectl(folder.resolve("kubectl-root"), fairlead.adminKubeconfig()).succeedWith(ENTER, "apply", "-f", "-");
        this.kubeconfigs = List.of(kube.kubeconfig(), fairlead.kubeconfigOf("dev"));
        this.kubectls = List.of(
                new Kubectl(folder.resolve("kubectl-kube"), kubeconfigs.getFirst()),
                new Kubectl(folder.resolve("kubectl-hosted"), kubeconfigs.getLast()));
        this.urls = List.of(kube.url(), fairlead.endpoint() + "/clusters/dev");
    }

    /** One who asks. */
    record Request(KubeCluster.User user, String method, String target, String contentType, String body) {
        @Override
        public String toString() {
            return user.name() + ": " + method + " " + target + (body.isEmpty() ? "" : " " + body);
        }
    }

    /** What both answered. */
    record Answers(Answer kube, Answer hosted) {}

    /** A status and the body, empty for a stream. */
    record Answer(int status, String body) {}

    /** Starts both for a test; {@link #ADMIN} is one of the users. */
    static TwinClusters start(String name, List<KubeCluster.User> users) {
        return new TwinClusters(name, users, List.of(), "Core");
    }

    /**
     * Starts both with every built-in kind, the kube-apiserver without the admission plugins that complete pods, volumes and
     * claims.
     */
    static TwinClusters startWithEveryKind(String name, List<KubeCluster.User> users) {
        String without =
                "ServiceAccount,DefaultTolerationSeconds,Priority,StorageObjectInUseProtection,DefaultStorageClass,"
                        + "TaintNodesByCondition,ResourceQuota,LimitRanger";
        return new TwinClusters(name, users, List.of("--disable-admission-plugins=" + without), "All");
    }

    /** The administrator's kubeconfigs: of the kube-apiserver, and of the hosted cluster. */
    List<Path> kubeconfigs() {
        return kubeconfigs;
    }

    /** Applies manifests to both. */
    void apply(String manifests) {
        kubectls.forEach(kubectl -> kubectl.succeedWith(manifests, "apply", "-f", "-"));
    }

    /** Runs kubectl against both. */
    void kubectl(String... arguments) {
        kubectls.forEach(kubectl -> kubectl.succeed(arguments));
    }

    Answers ask(Request request) throws IOException, InterruptedException {
        return new Answers(ask(urls.getFirst(), request), ask(urls.getLast(), request));
    }

    /** Asks both for Tables. */
    Answers askForTables(Request request) throws IOException, InterruptedException {
        String tables = "application/json;as=Table;v=v1;g=meta.k8s.io";
        return new Answers(ask(urls.getFirst(), request, tables), ask(urls.getLast(), request, tables));
    }

    /** Asks the hosted cluster alone. */
    Answer askHosted(Request request) throws IOException, InterruptedException {
        return ask(urls.getLast(), request);
    }

    private Answer ask(String url, Request request) throws IOException, InterruptedException {
        return ask(url, request, "application/json");
    }

    private Answer ask(String url, Request request, String accept) throws IOException, InterruptedException {
        HttpRequest http = HttpRequest.newBuilder(URI.create(url + request.target()))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + request.user().token())
                .header("Content-Type", request.contentType())
                .header("Accept", accept)
                .method(
                        request.method(),
                        request.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(request.body()))
                .build();
        HttpResponse<InputStream> response = client.send(http, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            boolean streams = request.target().contains("timeoutSeconds=") && response.statusCode() == 200;
            return new Answer(
                    response.statusCode(), streams ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
        fairlead.close();
        kube.close();
    }
}
