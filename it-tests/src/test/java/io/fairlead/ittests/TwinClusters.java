package io.fairlead.ittests;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real kube-apiserver and a hosted cluster, with the same users and objects, that are asked the same. */
final class TwinClusters implements AutoCloseable {
    static final KubeCluster.User ADMIN =
            new KubeCluster.User("token-of-root", "root", "uid-of-root", "system:masters");

    /** What asks for a Table, in an {@code Accept} header. */
    static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

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

    private TwinClusters(
            String name,
            List<KubeCluster.User> users,
            List<String> apiserverFlags,
            String builtIns,
            List<String> fairleadFlags) {
        Path folder = Checkout.scratch(name);
        this.kube = KubeCluster.start(
                Checkout.scratch(name + "-kube"), apiserverFlags, users.toArray(KubeCluster.User[]::new));
        List<String> flags = new ArrayList<>(fairleadFlags);
        flags.addAll(List.of(
                "--token-auth-file", FairleadUsers.tokenFile(folder, users).toString()));
        this.fairlead = FairleadProcess.start(folder, flags.toArray(String[]::new));
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
    record Request(
            KubeCluster.User user, String method, String target, String contentType, String body, String accept) {
        Request(KubeCluster.User user, String method, String target, String contentType, String body) {
            this(user, method, target, contentType, body, "application/json");
        }

        Request withTarget(String other) {
            return new Request(user, method, other, contentType, body, accept);
        }

        Request accepting(String other) {
            return new Request(user, method, target, contentType, body, other);
        }

        /** The request of a client to whom a server showed an object: {@code @rv} and {@code @uid} are what it showed. */
        private Request about(JsonObject shown) {
            JsonObject metadata = shown.has("metadata") ? shown.getAsJsonObject("metadata") : new JsonObject();
            return new Request(user, method, filled(target, metadata), contentType, filled(body, metadata), accept);
        }

        private static String filled(String text, JsonObject metadata) {
            return text.replace("@rv", text(metadata, "resourceVersion")).replace("@uid", text(metadata, "uid"));
        }

        private static String text(JsonObject object, String name) {
            return object.has(name) ? object.get(name).getAsString() : "0";
        }

        @Override
        public String toString() {
            return user.name() + ": " + method + " " + target + (body.isEmpty() ? "" : " " + body);
        }
    }

    /** What both answered. */
    record Answers(Answer kube, Answer hosted) {}

    /** A status and the body, empty for a stream, and the texts of warnings in order. */
    record Answer(int status, String body, List<String> warnings) {}

    /** Starts both for a test; {@link #ADMIN} is one of the users. */
    static TwinClusters start(String name, List<KubeCluster.User> users) {
        return new TwinClusters(name, users, List.of(), "Core", List.of());
    }

    /** The same, where both call webhooks on loopback. */
    static TwinClusters startWithWebhooks(String name, List<KubeCluster.User> users) {
        return new TwinClusters(name, users, List.of(), "Core", List.of("--hosted-backend-addresses", "127.0.0.0/8"));
    }

    /**
     * Starts both with every built-in kind, the kube-apiserver without the admission plugins that complete pods, volumes and
     * claims.
     */
    static TwinClusters startWithEveryKind(String name, List<KubeCluster.User> users) {
        String without =
                "ServiceAccount,DefaultTolerationSeconds,Priority,StorageObjectInUseProtection,DefaultStorageClass,"
                        + "TaintNodesByCondition,ResourceQuota,LimitRanger";
        return new TwinClusters(name, users, List.of("--disable-admission-plugins=" + without), "All", List.of());
    }

    /** The same, with the controller that fills Secrets with tokens. */
    static TwinClusters startWithTokens(String name, List<KubeCluster.User> users) {
        return startWithControllers(name, users, "serviceaccount-token-controller");
    }

    /** The same, with those controllers of kube-controller-manager, separated by commas, that a hosted cluster has as well. */
    static TwinClusters startWithControllers(String name, List<KubeCluster.User> users, String controllers) {
        TwinClusters twins = startWithEveryKind(name, users);
        twins.kube.startControllerManager("--controllers=" + controllers);
        return twins;
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

    /** Asks each something else. */
    Answers askEach(Request kubeRequest, Request hostedRequest) throws IOException, InterruptedException {
        return new Answers(ask(urls.getFirst(), kubeRequest), ask(urls.getLast(), hostedRequest));
    }

    /** Asks both as a client would to whom each showed the object at a path. */
    Answers askAbout(String path, Request request) throws IOException, InterruptedException {
        if (!request.body().contains("@") && !request.target().contains("@")) {
            return ask(request);
        }
        Answers shown = ask(new Request(request.user(), "GET", path, "application/json", ""));
        return new Answers(
                ask(urls.getFirst(), request.about(json(shown.kube()))),
                ask(urls.getLast(), request.about(json(shown.hosted()))));
    }

    /** Asks both for the next chunk of a list. */
    Answers askForMore(Request request, Answers before) throws IOException, InterruptedException {
        return new Answers(
                ask(urls.getFirst(), request.withTarget(request.target() + "&continue=" + next(before.kube()))),
                ask(urls.getLast(), request.withTarget(request.target() + "&continue=" + next(before.hosted()))));
    }

    /** The token that continues a list, or empty. */
    static String next(Answer answer) {
        JsonObject list = json(answer);
        JsonObject metadata = list.has("metadata") ? list.getAsJsonObject("metadata") : new JsonObject();
        return metadata.has("continue") ? metadata.get("continue").getAsString() : "";
    }

    private static JsonObject json(Answer answer) {
        boolean isJson = answer.body().startsWith("{");
        return isJson ? JsonParser.parseString(answer.body()).getAsJsonObject() : new JsonObject();
    }

    /** Asks the hosted cluster alone. */
    Answer askHosted(Request request) throws IOException, InterruptedException {
        return ask(urls.getLast(), request);
    }

    private Answer ask(String url, Request request) throws IOException, InterruptedException {
        HttpRequest http = HttpRequest.newBuilder(URI.create(url + request.target()))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + request.user().token())
                .header("Content-Type", request.contentType())
                .header("Accept", request.accept())
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
                    response.statusCode(),
                    streams ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8),
                    response.headers().allValues("Warning"));
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
