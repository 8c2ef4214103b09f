package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Fairlead with a heap of 512 MiB and every limit at its default, before a real cluster ({@code prod}) and several hosted
 * ones, some of which a tenant rules. Others have to be served beside them.
 */
final class AttackedFairlead implements AutoCloseable {
    static final String TENANT = "token-of-the-tenant";
    static final String NOBODY = "token-of-one-without-rights";

    /** Two who may enter the attached cluster, and nothing else. */
    static final String IMPATIENT = "token-of-the-impatient";

    static final String PRETENDER = "token-of-the-pretender";

    /** The hosted clusters that the tenant may fill. */
    static final List<String> CROWDED = List.of("crowded-0", "crowded-1", "crowded-2");

    private static final String COLLEAGUE = "token-of-the-colleague";
    private static final String NEIGHBOUR = "token-of-the-neighbour";
    private static final String OPERATOR = "token-of-the-operator";
    private static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    private static final String SECRETS = "/api/v1/namespaces/fairlead-system/secrets";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String HEALTHY_MAP = "/api/v1/namespaces/default/configmaps/healthy-";
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final int METRICS_TRIES = 3;

    /** As many as most systems allow at least, where a service is given more than a shell. */
    private static final int DESCRIPTORS = 20_000;

    private final FairleadProcess fairlead;
    private final int metricsPort;
    private final Path folder;
    private final List<HealthyClient> healthy = new ArrayList<>();
    private HttpProbe admin;

    static AttackedFairlead start(Path folder) throws Exception {
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(
                        new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters"),
                        new KubeCluster.User(TENANT, "tenant", "uid-of-tenant", "tenants"),
                        new KubeCluster.User(IMPATIENT, "impatient", "uid-of-impatient", "visitors"),
                        new KubeCluster.User(PRETENDER, "pretender", "uid-of-pretender", "visitors"),
                        new KubeCluster.User(COLLEAGUE, "colleague", "uid-of-colleague", "colleagues"),
                        new KubeCluster.User(NEIGHBOUR, "neighbour", "uid-of-neighbour", "neighbours"),
                        new KubeCluster.User(OPERATOR, "operator", "uid-of-operator", "operators"),
                        new KubeCluster.User(NOBODY, "nobody", "uid-of-nobody", "nobodies")));
        int metricsPort = FreePorts.take(1).getFirst();
        FairleadProcess fairlead = FairleadProcess.startBy(
                launcher(DESCRIPTORS),
                folder,
                "--token-auth-file",
                tokens.toString(),
                "--metrics-address",
                "127.0.0.1:" + metricsPort,
                "--shutdown-delay",
                "0s");
        var attacked = new AttackedFairlead(fairlead, metricsPort, folder);
        try {
            attacked.furnish();
            return attacked;
        } catch (Throwable e) {
            attacked.close();
            throw e;
        }
    }

    private AttackedFairlead(FairleadProcess fairlead, int metricsPort, Path folder) {
        this.fairlead = fairlead;
        this.metricsPort = metricsPort;
        this.folder = folder;
        this.admin = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
    }

    private static List<String> launcher(int descriptors) {
        return List.of(
                "sh",
                "-c",
                "ulimit -n " + descriptors + " && exec \"$@\"",
                "limited",
                "env",
                "FAIRLEAD_JAVA_OPTS=-Xmx512m",
                Checkout.launcher().toString());
    }

    int port() {
        return URI.create(fairlead.endpoint()).getPort();
    }

    int metricsPort() {
        return metricsPort;
    }

    Path folder() {
        return folder;
    }

    boolean isAlive() {
        return fairlead.handle().isAlive();
    }

    FairleadProcess fairlead() {
        return fairlead;
    }

    /** Kills it and starts it with what it stored, and with so many descriptors; returns when all clusters are ready. */
    void restart(int descriptors) {
        closeClients();
        fairlead.kill();
        fairlead.startBy(launcher(descriptors));
        admin = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
        awaitReady();
    }

    /** The clients that must be served whatever others do: of the attached cluster, of a hosted one, and of the tenant's own. */
    List<HealthyClient> healthyClients() {
        if (healthy.isEmpty()) {
            healthy.add(client("operator of the attached cluster", 11, OPERATOR, "prod", "operator"));
            healthy.add(client("neighbour in a hosted cluster", 12, NEIGHBOUR, "quiet", "neighbour"));
            healthy.add(client("colleague in the tenant's cluster", 13, COLLEAGUE, CROWDED.getFirst(), "colleague"));
        }
        return healthy;
    }

    private HealthyClient client(String name, int address, String token, String cluster, String user) {
        String path = "/clusters/" + cluster + HEALTHY_MAP + user;
        return new HealthyClient(name, port(), address, token, path);
    }

    /** Creates something as the administrator. */
    void create(String path, String body) throws Exception {
        Answer answer = admin.send("POST", path, "application/json", body);
        assertThat(answer.status()).as("POST %s: %s", path, answer.body()).isIn(201, 409);
    }

    /** Registers an attached cluster that answers at a URL; it may never be ready. */
    void attach(String name, String url, Path caFile) throws Exception {
        create(CLUSTERS, cluster(name, """
            "attached":{"endpoints":["%s"],"caBundle":"%s","credentialSecretRef":{"name":"shared"},
            "impersonation":{"allowSystemMasters":true}}\
            """.formatted(url, base64(Files.readString(caFile)))));
    }

    /** The metrics, as a scraper reads them. */
    Exposition metrics() throws Exception {
        for (int attempt = 1; ; attempt++) {
            try (var probe = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of())) {
                return new Exposition(probe.get("/metrics").body());
            } catch (IOException e) {
                if (attempt == METRICS_TRIES) {
                    throw e;
                }
            }
        }
    }

    Footprint footprint() throws Exception {
        try (var probe = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of())) {
            return Footprint.of(fairlead, probe);
        }
    }

    /** Open files and sockets, but for the tables of the store, of which there are as many as what it stores needs. */
    long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", "" + fairlead.pid(), "fd"))) {
            return open.filter(descriptor -> !isTable(descriptor)).count();
        }
    }

    /** Tables of the store that are open. */
    long tables() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", "" + fairlead.pid(), "fd"))) {
            return open.filter(AttackedFairlead::isTable).count();
        }
    }

    private static boolean isTable(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().endsWith(".sst");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Override
    public void close() {
        closeClients();
        fairlead.close();
    }

    private void closeClients() {
        healthy.forEach(HealthyClient::close);
        healthy.clear();
        admin.close();
    }

    private void furnish() throws Exception {
        KubeCluster kube = SharedKube.get();
        create(SECRETS, """
            {"metadata":{"name":"shared"},"data":{"token":"%s"}}\
            """.formatted(base64(KubeCluster.ADMIN_TOKEN)));
        attach("prod", kube.url(), kube.caFile());
        var hosted = new ArrayList<>(CROWDED);
        hosted.add("quiet");
        for (String name : hosted) {
            create(CLUSTERS, cluster(name, "\"hosted\":{\"deletionPolicy\":\"Delete\"}"));
        }
        awaitReady();
        for (String name : CROWDED) {
            letRule("tenant", name);
        }
        letRule("colleague", CROWDED.getFirst());
        letRule("neighbour", "quiet");
        letRule("operator", "prod");
        letEnter("impatient", "prod");
        letEnter("pretender", "prod");
        makeMap("prod", "operator");
        makeMap("quiet", "neighbour");
        makeMap(CROWDED.getFirst(), "colleague");
    }

    private void makeMap(String cluster, String user) throws Exception {
        create("/clusters/" + cluster + "/api/v1/namespaces/default/configmaps", """
            {"metadata":{"name":"healthy-%s"}}\
            """.formatted(user));
    }

    /** Lets a user do everything in a cluster. */
    void letRule(String user, String cluster) throws Exception {
        letEnter(user, cluster);
        create("/clusters/" + cluster + RBAC + "clusterrolebindings", binding(user + "-rules", "cluster-admin", user));
    }

    /** Lets a user enter a cluster. */
    void letEnter(String user, String cluster) throws Exception {
        create(RBAC + "clusterroles", """
            {"metadata":{"name":"enter-%1$s"},"rules":[{"apiGroups":["fairlead.io"],"resources":["clusters"],
            "resourceNames":["%1$s"],"verbs":["access"]}]}\
            """.formatted(cluster));
        create(RBAC + "clusterrolebindings", binding(user + "-enters-" + cluster, "enter-" + cluster, user));
    }

    private static String binding(String name, String role, String user) {
        return """
            {"metadata":{"name":"%s"},
            "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%s"}],
            "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%s"}}\
            """.formatted(name, user, role);
    }

    private void awaitReady() {
        var all = new ArrayList<>(CROWDED);
        all.addAll(List.of("quiet", "prod"));
        Await.until("the clusters are served", READY_TIMEOUT, () -> all.stream().allMatch(name -> isServed(name)));
    }

    private boolean isServed(String cluster) {
        try {
            return admin.get("/clusters/" + cluster + "/api/v1/namespaces/default")
                            .status()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String cluster(String name, String spec) {
        return "{\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}"
                .formatted(name, spec);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
