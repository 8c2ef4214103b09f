package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes API on loopback: etcd, kube-apiserver with RBAC and, if asked for, kube-controller-manager.
 *
 * <p>Each program can be stopped, killed and started again on its own; ports and data stay the same. The user
 * {@code fairlead-admin} is in {@code system:masters}; further users have what the test grants them.
 */
final class KubeCluster implements AutoCloseable {
    static final String ADMIN_TOKEN = "token-of-the-admin";

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    /** kube-apiserver waits a minute for open watches. */
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(2);

    private static final int CLASHES_MAX = 5;
    private static final int PORTS = 5;

    private final Path folder;
    private final RealServers servers = RealServers.get();
    private final List<String> apiserverFlags;
    private final boolean isAudited;

    /** In which all programs of the cluster run; null if they run where the tests do. */
    private final @Nullable NetworkNamespace network;

    private List<Integer> ports = FreePorts.take(PORTS);
    private @Nullable OwnedProcess etcd;
    private @Nullable OwnedProcess apiserver;
    private @Nullable OwnedProcess secondApiserver;
    private @Nullable OwnedProcess controllerManager;

    /** Starts etcd and kube-apiserver in a folder and returns when the API is ready. */
    static KubeCluster start(Path folder, User... users) {
        return start(folder, List.of(), users);
    }

    static KubeCluster start(Path folder, List<String> apiserverFlags, User... users) {
        return start(new KubeCluster(folder, apiserverFlags, false), users);
    }

    /** One whose API servers note what the administrator asks them for. */
    static KubeCluster startAudited(Path folder, User... users) {
        return start(new KubeCluster(folder, List.of(), true), users);
    }

    private static KubeCluster start(KubeCluster cluster, User... users) {
        try {
            cluster.prepare(List.of(users));
            cluster.startUnlessPortsClash();
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    /** One in a network of its own, which the tests reach by programs in it alone; its API server notes what others do. */
    static KubeCluster startIn(NetworkNamespace network, Path folder, List<String> apiserverFlags, User... users) {
        return start(new KubeCluster(folder, apiserverFlags, true, network), users);
    }

    private KubeCluster(Path folder, List<String> apiserverFlags, boolean isAudited) {
        this(folder, apiserverFlags, isAudited, null);
    }

    private KubeCluster(
            Path folder, List<String> apiserverFlags, boolean isAudited, @Nullable NetworkNamespace network) {
        this.folder = folder;
        this.apiserverFlags = apiserverFlags;
        this.isAudited = isAudited;
        this.network = network;
    }

    /** {@code https://127.0.0.1:PORT}. */
    String url() {
        return "https://127.0.0.1:" + ports.get(2);
    }

    /** The certificate that signs the server's. */
    Path caFile() {
        return folder.resolve("certs").resolve("apiserver.crt");
    }

    /** Where the second API server listens, if it runs. */
    String secondUrl() {
        return "https://127.0.0.1:" + ports.get(4);
    }

    /** The certificate that signs the second server's. */
    Path secondCaFile() {
        return folder.resolve("certs-2").resolve("apiserver.crt");
    }

    /** What the first API server noted, if that was asked for. */
    AuditLog audited() {
        return new AuditLog(auditFile("kube-apiserver"));
    }

    /** What the second one noted. */
    AuditLog secondAudited() {
        return new AuditLog(auditFile("kube-apiserver-2"));
    }

    /** A kubeconfig for the administrator. */
    Path kubeconfig() {
        return kubeconfig("admin", ADMIN_TOKEN);
    }

    /** A kubeconfig for a token, in which files are named, not inlined. */
    Path kubeconfig(String user, String token) {
        return write(user + ".kubeconfig", """
            apiVersion: v1
            kind: Config
            clusters:
            - name: kube
              cluster:
                server: %s
                certificate-authority: %s
            users:
            - name: %s
              user:
                token: %s
            contexts:
            - name: kube
              context:
                cluster: kube
                user: %s
            current-context: kube
            """.formatted(url(), caFile(), user, token, user));
    }

    /** The controllers without which namespaces, owners and aggregated roles would do nothing. */
    void startControllerManager() {
        startControllerManager(
                "--concurrent-namespace-syncs=2",
                "--controllers=namespace-controller,serviceaccount-controller,root-ca-certificate-publisher-controller,"
                        + "garbage-collector-controller,clusterrole-aggregation-controller");
    }

    /** All controllers that a cluster has by default. */
    void startEveryController() {
        startControllerManager("--controllers=*");
    }

    void startControllerManager(String... flags) {
        var all = new ArrayList<>(List.of(
                "--kubeconfig=" + kubeconfig(),
                "--service-account-private-key-file=" + folder.resolve("sa.key"),
                "--root-ca-file=" + caFile(),
                "--leader-elect=false",
                "--bind-address=127.0.0.1",
                "--secure-port=" + ports.get(3)));
        all.addAll(List.of(flags));
        controllerManager =
                start("kube-controller-manager", servers.kubeControllerManager(), all.toArray(String[]::new));
    }

    /** Starts a second kube-apiserver over the same etcd, with a certificate of its own; returns its port when it is ready. */
    int startSecondApiserver() {
        int port = ports.get(4);
        OwnedProcess second = startApiserverProcess("kube-apiserver-2", port, "certs-2");
        secondApiserver = second;
        awaitReady(second, secondUrl());
        return port;
    }

    void killSecondApiserver() {
        running(secondApiserver).kill();
    }

    /** SIGTERM to the second one. */
    void stopSecondApiserver() {
        var _ = running(secondApiserver).terminate(STOP_TIMEOUT);
    }

    void killApiserver() {
        running(apiserver).kill();
    }

    /** SIGTERM, as a rolling update of a control plane does. */
    void stopApiserver() {
        var _ = running(apiserver).terminate(STOP_TIMEOUT);
    }

    /** Starts kube-apiserver on the same port again and returns when it is ready. */
    void startApiserver() {
        apiserver = startApiserverProcess("kube-apiserver", ports.get(2), "certs");
        awaitReady(running(apiserver), url());
    }

    /** Kills both programs. */
    void stop() {
        running(apiserver).kill();
        running(etcd).kill();
    }

    /** Starts both on the same ports again and returns when the API is ready. */
    void startAgain() {
        etcd = startEtcd();
        startApiserver();
    }

    /** Keeps a copy of what etcd stores, which must be stopped, under a name. */
    void copyStore(String name) {
        Checkout.copyTree(folder.resolve("etcd"), folder.resolve("etcd-" + name));
    }

    /** Has etcd, which must be stopped, store what was copied under a name. */
    void restoreStore(String name) {
        emptyStore();
        Checkout.copyTree(folder.resolve("etcd-" + name), folder.resolve("etcd"));
    }

    /** Has etcd, which must be stopped, store nothing: the API server then makes another cluster. */
    void emptyStore() {
        try {
            Checkout.removeTree(folder.resolve("etcd"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        close(controllerManager);
        close(secondApiserver);
        close(apiserver);
        close(etcd);
    }

    private void prepare(List<User> users) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair serviceAccountKeys = generator.generateKeyPair();
            write(
                    "sa.key",
                    PemText.of("PRIVATE KEY", serviceAccountKeys.getPrivate().getEncoded()));
            write(
                    "sa.pub",
                    PemText.of("PUBLIC KEY", serviceAccountKeys.getPublic().getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        var all = new ArrayList<>(users);
        // As Fairlead's administrator is known by a certificate: without a uid.
        all.add(new User(ADMIN_TOKEN, "fairlead-admin", "", "system:masters"));
        write("tokens.csv", String.join("", all.stream().map(User::csv).toList()));
    }

    private void startUnlessPortsClash() {
        for (int clashes = 0; ; clashes++) {
            etcd = startEtcd();
            apiserver = startApiserverProcess("kube-apiserver", ports.get(2), "certs");
            try {
                awaitReady(running(apiserver), url());
                return;
            } catch (AssertionError e) {
                if (clashes == CLASHES_MAX || !portsClashed()) {
                    throw e;
                }
            }
            close();
            ports = FreePorts.take(PORTS);
        }
    }

    private OwnedProcess startEtcd() {
        String client = "http://127.0.0.1:" + ports.get(0);
        String peer = "http://127.0.0.1:" + ports.get(1);
        return start(
                "etcd",
                servers.etcd(),
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--log-level=warn",
                "--unsafe-no-fsync");
    }

    private OwnedProcess startApiserverProcess(String name, int port, String certificates) {
        var flags = new ArrayList<>(List.of(
                "--etcd-servers=http://127.0.0.1:" + ports.get(0),
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.resolve(certificates),
                "--service-account-key-file=" + folder.resolve("sa.pub"),
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.0.0.0/24",
                "--shutdown-delay-duration=0s"));
        if (isAudited) {
            flags.add("--audit-policy-file=" + write("audit-policy.yaml", AuditLog.POLICY));
            flags.add("--audit-log-path=" + auditFile(name));
            flags.add("--audit-log-maxsize=2000");
        }
        flags.addAll(apiserverFlags);
        return start(name, servers.kubeApiserver(), flags.toArray(String[]::new));
    }

    private Path auditFile(String name) {
        return folder.resolve(name + ".audit");
    }

    private void awaitReady(OwnedProcess started, String url) {
        NetworkNamespace own = network;
        if (own != null) {
            Kubectl kubectl = new Kubectl(folder.resolve("kubectl-ready"), kubeconfig(), own);
            Await.until(
                    "/readyz of " + url,
                    READY_TIMEOUT,
                    () -> !started.isAlive()
                            || !running(etcd).isAlive()
                            || kubectl.run("get", "--raw", "/readyz").exitCode() == 0);
            requireAlive(started);
            return;
        }
        try (var probe = HttpProbe.withToken(url, ADMIN_TOKEN)) {
            Await.until("/readyz of " + url, READY_TIMEOUT, () -> {
                if (!started.isAlive() || !running(etcd).isAlive()) {
                    return true;
                }
                return probe.get("/readyz").status() == 200;
            });
        }
        requireAlive(started);
    }

    private void requireAlive(OwnedProcess started) {
        if (!started.isAlive() || !running(etcd).isAlive()) {
            throw new AssertionError("the API ended early; " + started.tail() + "\n"
                    + running(etcd).tail());
        }
    }

    private boolean portsClashed() {
        return (running(apiserver).errors() + running(etcd).errors()).contains("address already in use");
    }

    private OwnedProcess start(String name, String program, String... flags) {
        var command = new ArrayList<>(List.of(program));
        command.addAll(List.of(flags));
        NetworkNamespace own = network;
        return OwnedProcess.start(
                name, folder, Map.of("GOMEMLIMIT", "600MiB"), own == null ? command : own.within(command));
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static OwnedProcess running(@Nullable OwnedProcess process) {
        if (process == null) {
            throw new IllegalStateException("not started");
        }
        return process;
    }

    private static void close(@Nullable OwnedProcess process) {
        if (process != null) {
            process.close();
        }
    }

    /** A user that is known by a token; the uid may be empty. */
    record User(String token, String name, String uid, String... groups) {
        String csv() {
            return "%s,%s,%s,\"%s\"%n".formatted(token, name, uid, String.join(",", groups));
        }
    }
}
