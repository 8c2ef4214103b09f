package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.cli.FairleadCommand;
import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.schema.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Two whole gateways in this process: {@code near}, which hosts the cluster {@code dev}, and {@code far}, whose root cluster is
 * attached to it under that name.
 */
final class TwoGateways implements AutoCloseable {
    static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Map<String, Gateway> gateways = new HashMap<>();
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(trusting()).build();

    TwoGateways(Path folder) throws Exception {
        this.folder = folder;
        try {
            start();
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private void start() throws Exception {
        Files.writeString(folder.resolve("tokens"), "token,admin,1,\"system:masters\"\n");
        Files.createDirectory(clustersDir());
        start("far", Map.of());
        Path policy = Files.writeString(
                folder.resolve("policy"), "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}");
        start(
                "near",
                Map.of(
                        "clustersDir",
                        clustersDir().toString(),
                        "auditPolicyFile",
                        policy.toString(),
                        "auditLogPath",
                        folder.resolve("audit.log").toString(),
                        "tracing.endpoint",
                        "http://127.0.0.1:1"));
        create("far", CRDS, apiServices());
        await("API services can be followed", () -> exists("far", "/apis/apiregistration.k8s.io/v1/apiservices"));
        command("cluster", "create", "dev");
        Path kubeconfig = folder.resolve("far.kubeconfig");
        String admins = Files.readString(folder.resolve("far/admin.kubeconfig"));
        Files.writeString(kubeconfig, admins.replace("/clusters/root", ""));
        command("cluster", "attach", "far", "--from-kubeconfig", kubeconfig.toString());
    }

    private void start(String name, Map<String, String> more) throws Exception {
        Configuration configuration = configuration(name, more);
        gateways.put(name, Gateway.start(configuration, _ -> configuration));
    }

    /** What the near one follows. */
    Path clustersDir() {
        return folder.resolve("clusters");
    }

    Collection<Gateway> all() {
        return gateways.values();
    }

    @Override
    public void close() {
        client.close();
        all().forEach(Gateway::close);
    }

    Gateway gateway(String name) {
        return Objects.requireNonNull(gateways.get(name));
    }

    Configuration configuration(String name, Map<String, String> more) throws Exception {
        Map<String, String> flags = new HashMap<>(more);
        flags.put("dataDir", folder.resolve(name).toString());
        flags.put("securePort", "0");
        flags.put("metricsAddress", "127.0.0.1:0");
        flags.put("tokenAuthFile", folder.resolve("tokens").toString());
        return ConfigurationReader.read(null, Map.of(), flags, new ConfiguredFiles(InstantSource.system()));
    }

    void command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data-dir", folder.resolve("near").toString()));
        StringWriter said = new StringWriter();
        int exitCode = FairleadCommand.execute(all, new PrintWriter(said), new PrintWriter(said));
        assertThat(exitCode).as("%s said %s", all, said).isZero();
    }

    static String definition(String name) {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"boats.%s.test"},
            "spec":{"group":"%s.test","scope":"Cluster","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1",
            "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """.formatted(name, name);
    }

    /** What an API server that is attached has, and a hosted cluster has not. */
    static String apiServices() {
        return """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{
            "name":"apiservices.apiregistration.k8s.io","annotations":{"api-approved.kubernetes.io":"unapproved, for a test"}},
            "spec":{"group":"apiregistration.k8s.io","scope":"Cluster","names":{"plural":"apiservices","kind":"APIService"},
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}
            """;
    }

    boolean isTrue(String gateway, String path, String condition) throws Exception {
        return conditions(gateway, path).contains(condition + "=True");
    }

    List<String> conditions(String gateway, String path) throws Exception {
        HttpResponse<String> answer = get(gateway, path);
        if (answer.statusCode() != 200) {
            return List.of();
        }
        return Json.read(answer.body().getBytes(UTF_8)).path("status").path("conditions").values().stream()
                .map(condition -> condition.path("type").asString() + "="
                        + condition.path("status").asString())
                .toList();
    }

    boolean exists(String gateway, String path) throws Exception {
        return get(gateway, path).statusCode() == 200;
    }

    void create(String gateway, String path, String object) throws Exception {
        HttpResponse<String> answer = send(gateway, "POST", path, object);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    void delete(String gateway, String path) throws Exception {
        HttpResponse<String> answer = send(gateway, "DELETE", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    HttpResponse<String> get(String gateway, String path) throws Exception {
        return send(gateway, "GET", path, "");
    }

    /** From the metrics listener of the near gateway. */
    HttpResponse<String> get(String path) throws Exception {
        Field listeners = Gateway.class.getDeclaredField("ownListeners");
        listeners.setAccessible(true);
        InetSocketAddress address = (InetSocketAddress) ((List<?>) listeners.get(gateway("near"))).getLast();
        URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> send(String gateway, String method, String path, String body) throws Exception {
        return client.send(request(gateway, method, path, body), HttpResponse.BodyHandlers.ofString());
    }

    HttpRequest request(String gateway, String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(gateway(gateway).endpoint() + path))
                .header("Authorization", "Bearer token")
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        await(() -> what, condition);
    }

    static void await(Supplier<String> what, Callable<Boolean> condition) throws Exception {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(endNanos);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustEveryone()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static final class TrustEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
