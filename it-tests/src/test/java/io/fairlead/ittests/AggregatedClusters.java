package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A real kube-apiserver and a hosted cluster, both with an aggregation layer, with the same users and rights; a real kube-apiserver that is a
 * backend of both, and backends that are odd. In a network of their own, since no backend may have a loopback address.
 */
final class AggregatedClusters implements AutoCloseable {
    static final KubeCluster.User ADMIN =
            new KubeCluster.User("token-of-root", "root", "uid-of-root", "system:masters");
    /** May do everything with the group in one namespace, here and in the backend. */
    static final KubeCluster.User ANNA = new KubeCluster.User("token-of-anna", "anna", "uid-of-anna", "team", "crew");
    /** May do so here, but the backend refuses it. */
    static final KubeCluster.User BERT = new KubeCluster.User("token-of-bert", "bert", "uid-of-bert", "crew");
    /** May do nothing here, but all in the backend. */
    static final KubeCluster.User CARL = new KubeCluster.User("token-of-carl", "carl", "uid-of-carl", "others");

    static final List<KubeCluster.User> USERS = List.of(ADMIN, ANNA, BERT, CARL);

    /** Of TEST-NET-2, as the other; backends of hosted clusters may not be there. */
    static final String OUTSIDE_ADDRESS = "198.51.100.8";

    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String CLUSTER = "dev";

    private final Path folder;
    private final NetworkNamespace network;
    private final NetworkProbe probe;
    private final BackendIdentity identity;
    private final OddBackends odd;
    private final KubeCluster kube;
    private final FairleadProcess fairlead;
    private final AggregatingCluster real;
    private final AggregatingCluster hosted;
    private final KubeCluster backend;

    AggregatedClusters(Path folder) throws Exception {
        this.folder = folder;
        network = NetworkNamespace.open(folder);
        network.add(OUTSIDE_ADDRESS);
        probe = new NetworkProbe(network, folder);
        identity = BackendIdentity.make(folder, AggregatedWidgets.NAMESPACE, AggregatedWidgets.SERVICES);
        odd = OddBackends.start(network, folder, identity, NetworkNamespace.ADDRESS, OUTSIDE_ADDRESS);
        FrontProxy proxy = FrontProxy.make(folder("front-proxy"));
        try (ExecutorService starts = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<KubeCluster> first = starts.submit(() -> proxy.startFor(
                    network,
                    folder("kube"),
                    List.of("--requestheader-uid-headers=X-Remote-Uid"),
                    USERS.toArray(KubeCluster.User[]::new)));
            fairlead = startFairlead();
            kube = first.get();
        }
        real = new AggregatingCluster(
                "kube-apiserver",
                kube.url(),
                network,
                probe,
                folder,
                user -> kube.kubeconfig(user.name(), user.token()));
        hosted = new AggregatingCluster(
                "hosted cluster",
                fairlead.endpoint() + "/clusters/" + CLUSTER,
                network,
                probe,
                folder,
                user -> kubeconfig(CLUSTER, user));
        backend = startBackend(Files.readString(proxy.ca()));
        for (AggregatingCluster each : all()) {
            each.apply(AggregatedWidgets.rights(List.of(ANNA, BERT)) + "---\n" + AggregatedWidgets.ODD_RIGHTS);
        }
    }

    private FairleadProcess startFairlead() throws IOException {
        Path own = folder("fairlead");
        Path config = Files.writeString(own.resolve("fairlead.yaml"), """
            apiVersion: config.fairlead.io/v1alpha1
            kind: FairleadConfiguration
            hosted:
              backendAddresses: [%s/32]
            """.formatted(NetworkNamespace.ADDRESS));
        FairleadProcess started = FairleadProcess.startIn(
                network,
                own,
                "--config",
                config.toString(),
                "--token-auth-file",
                FairleadUsers.tokenFile(own, USERS).toString());
        create(started, CLUSTER);
        new Kubectl(folder.resolve("root"), started.adminKubeconfig(), network)
                .succeedWith(AggregatedWidgets.enter(CLUSTER), "apply", "-f", "-");
        return started;
    }

    private Path kubeconfig(String cluster, KubeCluster.User user) {
        try {
            return Files.writeString(folder.resolve(cluster + "-" + user.name() + ".kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: hosted, cluster: {server: "%s/clusters/%s", certificate-authority: "%s"}}]
                users: [{name: user, user: {token: "%s"}}]
                contexts: [{name: hosted, context: {cluster: hosted, user: user}}]
                current-context: hosted
                """.formatted(
                            fairlead.endpoint(),
                            cluster,
                            fairlead.dataDir().resolve("pki").resolve("ca.crt"),
                            user.token()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(FairleadProcess fairlead, String cluster) {
        Output created = fairlead.command("cluster", "create", cluster, "--built-ins", "all");
        assertThat(created.exitCode()).as("%s", created).isZero();
    }

    /** One that takes callers from both front proxies, and whose log has everything that is asked of the group. */
    private KubeCluster startBackend(String authority) throws IOException {
        Path own = folder("backend");
        identity.install(own.resolve("certs"));
        Path authorities = Files.writeString(own.resolve("authorities.crt"), authority + authorityOf(hosted));
        Path policy = Files.writeString(own.resolve("all.yaml"), """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            rules:
            - level: Metadata
              resources: [{group: example.com}]
              omitStages: [RequestReceived]
            - {level: None}
            """);
        KubeCluster started = KubeCluster.startIn(
                network,
                own,
                List.of(
                        "--bind-address=0.0.0.0",
                        "--advertise-address=" + NetworkNamespace.ADDRESS,
                        "--requestheader-client-ca-file=" + authorities,
                        "--requestheader-allowed-names=",
                        "--requestheader-username-headers=X-Remote-User",
                        "--requestheader-uid-headers=X-Remote-Uid",
                        "--requestheader-group-headers=X-Remote-Group",
                        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
                        "--audit-policy-file=" + policy,
                        "--audit-log-path=" + auditFile()));
        Kubectl kubectl = new Kubectl(folder.resolve("kubectl-backend"), started.kubeconfig(), network);
        kubectl.succeedWith(
                AggregatedWidgets.DEFINITION + "---\n" + AggregatedWidgets.rights(List.of(ANNA, CARL)),
                "apply",
                "-f",
                "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
        return started;
    }

    /** The CA of a cluster's front proxy, as the cluster tells backends. */
    static String authorityOf(AggregatingCluster cluster) {
        Await.until(
                cluster + " tells of its front proxy",
                SOON,
                () -> !authority(cluster).isEmpty());
        return authority(cluster) + "\n";
    }

    private static String authority(AggregatingCluster cluster) {
        return cluster.admin()
                .succeed(
                        "get",
                        "configmap",
                        "extension-apiserver-authentication",
                        "--ignore-not-found",
                        "-n",
                        "kube-system",
                        "-o",
                        "jsonpath={.data.requestheader-client-ca-file}")
                .strip();
    }

    /** The CA that another hosted cluster of the same Fairlead tells backends. */
    String authorityOfAnother() {
        create(fairlead, "other");
        new Kubectl(folder.resolve("root"), fairlead.adminKubeconfig(), network)
                .succeedWith(AggregatedWidgets.enter("other"), "apply", "-f", "-");
        return authorityOf(new AggregatingCluster(
                "other hosted cluster",
                fairlead.endpoint() + "/clusters/other",
                network,
                probe,
                folder,
                user -> kubeconfig("other", user)));
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private Path auditFile() {
        return folder.resolve("backend").resolve("all.audit");
    }

    /** Both, the real one first. */
    List<AggregatingCluster> all() {
        return List.of(real, hosted);
    }

    /** What is alike of both, as text. */
    String same(Function<AggregatingCluster, Object> what) {
        Object expected = what.apply(real);
        assertThat(what.apply(hosted)).as("%s, as of the %s", hosted, real).isEqualTo(expected);
        return expected.toString();
    }

    /** Has both take the group of the real backend, whatever was before. */
    void serve() throws IOException {
        apply(String.join(
                "---\n",
                AggregatedWidgets.service(AggregatedWidgets.BACKEND, 443),
                AggregatedWidgets.slice(AggregatedWidgets.BACKEND, NetworkNamespace.ADDRESS, backendPort(), true),
                AggregatedWidgets.apiService("example.com", AggregatedWidgets.BACKEND, trust())));
        awaitServed();
        awaitCurrent();
    }

    /** Until requests are answered. */
    void awaitServed() {
        for (AggregatingCluster cluster : all()) {
            cluster.await(AggregatedWidgets.API_SERVICE, Availability.passed());
            cluster.awaitStatus(ANNA, AggregatedWidgets.WIDGETS, 200);
        }
    }

    /** Until discovery and OpenAPI have what the backend serves. */
    void awaitCurrent() {
        for (AggregatingCluster cluster : all()) {
            Await.untilNothing(cluster + ": the group is current", SOON, () -> {
                String group = cluster.aggregatedGroup("example.com").toString();
                return group.contains("widgets") && group.contains("Current") ? "" : group;
            });
            Await.until(
                    cluster + " describes the group",
                    SOON,
                    () -> cluster.described().contains("apis/example.com/v1"));
        }
    }

    /** Until no request is answered, for a reason. */
    void awaitUnavailable(Availability expected) {
        for (AggregatingCluster cluster : all()) {
            cluster.await(AggregatedWidgets.API_SERVICE, expected);
            cluster.awaitStatus(ANNA, AggregatedWidgets.WIDGETS, 503);
            cluster.awaitStatus(ADMIN, AggregatedWidgets.VERSION, 503);
        }
    }

    void apply(String manifests) {
        all().forEach(cluster -> cluster.apply(manifests));
    }

    void kubectl(String... arguments) {
        all().forEach(cluster -> cluster.admin().succeed(arguments));
    }

    /** Takes an odd backend into both. */
    void applyOdd(OddBackends.Kind kind) throws IOException {
        apply(AggregatedWidgets.odd(kind, NetworkNamespace.ADDRESS, odd.port(kind), trust()));
    }

    AggregatingCluster real() {
        return real;
    }

    AggregatingCluster hosted() {
        return hosted;
    }

    OddBackends odd() {
        return odd;
    }

    void stopBackend() {
        backend.killApiserver();
    }

    void startBackend() {
        backend.startApiserver();
    }

    int backendPort() {
        return URI.create(backend.url()).getPort();
    }

    /** How an APIService trusts the backends. */
    String trust() throws IOException {
        return "caBundle: " + identity.caBundle();
    }

    /** How it trusts others. */
    String otherTrust() throws IOException {
        return "caBundle: " + Base64.getEncoder().encodeToString(Files.readAllBytes(kube.caFile()));
    }

    /** What the backend noted of requests with a word in their line. */
    List<String> audited(String word) throws IOException {
        try (Stream<String> lines = Files.lines(auditFile())) {
            return lines.filter(line -> line.contains(word)).toList();
        }
    }

    @Override
    public void close() {
        backend.close();
        odd.close();
        fairlead.close();
        kube.close();
        probe.close();
        network.close();
    }
}
