package io.fairlead.benchmarks.proxy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The backend and every proxy in front of it that this machine has, each by its role. */
final class Arena implements AutoCloseable {
    /** Where the bodies are, below each proxy. */
    static final String BODIES = "/api/v1/namespaces/default/configmaps/bytes-";

    static final List<Integer> SIZES = List.of(2_048, 65_536, 1_048_576);

    private static final List<String> CLUSTERS = List.of("h1", "h2", "watches", "watches-h2");

    private static final String LARGE_BUFFERS = "tune.bufsize 131072";

    private final Workshop workshop = new Workshop();
    private final Map<String, Contestant> byRole = new HashMap<>();
    private final List<String> absent = new ArrayList<>();
    private final List<String> versions = new ArrayList<>();
    private final Path launcher;
    private @Nullable Process types;
    private @Nullable Floor floor;

    Arena(Path launcher) throws IOException, InterruptedException {
        this.launcher = launcher;
        try {
            material();
            backend();
            go();
            fairlead();
            haproxy("haproxy", "");
            haproxy("haproxy, large buffers", LARGE_BUFFERS);
            nginx();
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    Workshop workshop() {
        return workshop;
    }

    Path launcher() {
        return launcher;
    }

    /** Load by an administrator. */
    Load load() {
        return new Load(workshop, Callers.ADMINISTRATOR);
    }

    /** Load by a caller who may enter the clusters by the root cluster's RBAC. */
    Load loadOfAnn() {
        return new Load(workshop, Callers.ANN);
    }

    /** A contestant by its role; empty if this machine lacks it. */
    Optional<Contestant> find(String role) {
        return Optional.ofNullable(byRole.get(role));
    }

    Contestant get(String role) {
        return find(role).orElseThrow();
    }

    /**
     * Adds the gateway without its stages, with the same servers behind it.
     *
     * @param isRehearsed whether it begins with an ahead-of-time cache, if the gateway does
     */
    void addFloor(boolean isRehearsed) throws IOException, InterruptedException {
        floor = Floor.of(workshop, get("fairlead h1"));
        if (isRehearsed) {
            floor.rehearse(workshop.port("floor"), server("h1"));
        }
        Map<Integer, String> servers = new HashMap<>();
        for (String cluster : CLUSTERS) {
            servers.put(workshop.port("floor " + cluster), server(cluster));
        }
        Process process = workshop.start("floor", Workshop.PROXY_CPU, floor.command(servers));
        for (String cluster : CLUSTERS) {
            int port = Integer.parseInt(workshop.word("floor " + cluster));
            workshop.awaitListening(process, port);
            byRole.put("floor " + cluster, new Contestant(Floor.NAME, process.toHandle(), url(port)));
        }
    }

    /** A command that starts the gateway without its stages. */
    List<String> floorCommand(int port) {
        return Objects.requireNonNull(floor).command(Map.of(port, server("h1")));
    }

    /** The yardsticks that this machine lacks. */
    List<String> absent() {
        return absent;
    }

    List<String> versions() {
        return versions;
    }

    /** A client of many watches over http/1.1 or h2; Go is needed. */
    Process watches(String url, int count, String protocol) throws IOException {
        List<String> command =
                List.of(tool(), "watch", url, Integer.toString(count), cert(), Callers.ADMINISTRATOR, protocol);
        return workshop.talk("watch", Workshop.LOAD_CPU, command);
    }

    /** The API server of the cluster {@code types}, whose CRD changes on demand; empty without Go. */
    Optional<Process> types() {
        return Optional.ofNullable(types);
    }

    /** Restarts a contestant's process, for all of its roles; answers the contestant that takes the place. */
    Contestant restart(Contestant contestant) throws IOException, InterruptedException {
        ProcessHandle before = byRole.values().stream()
                .filter(known -> known.url().equals(contestant.url()))
                .findFirst()
                .orElseThrow()
                .process();
        Process after = workshop.restart(before);
        workshop.awaitListening(after, URI.create(contestant.url()).getPort());
        byRole.replaceAll((_, known) -> known.process().equals(before) ? known.at(after.toHandle()) : known);
        return contestant.at(after.toHandle());
    }

    @Override
    public void close() {
        workshop.close();
    }

    private void material() throws IOException, InterruptedException {
        workshop.write("openssl.cnf", "openssl.cnf");
        Certificates.make(workshop);
        Files.createDirectory(workshop.path("clusters"));
        Files.writeString(Files.createDirectory(workshop.path("www")).resolve("livez"), "ok");
        for (int size : SIZES) {
            Path body = workshop.path("www" + BODIES + size);
            Files.createDirectories(body.getParent());
            String head = "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"text\":\"";
            String tail = "\"}}";
            Files.writeString(body, head + "x".repeat(size - head.length() - tail.length()) + tail);
        }
        Files.writeString(workshop.path("tokens"), Callers.TOKENS);
    }

    private void backend() throws IOException, InterruptedException {
        int port = workshop.port("backend");
        workshop.port("backendH2");
        Path configuration = workshop.write("backend.conf", "backend.conf");
        Process backend = workshop.start(
                "backend",
                Workshop.LOAD_CPU,
                List.of(
                        "nginx",
                        "-c",
                        configuration.toString(),
                        "-e",
                        "backend.log",
                        "-p",
                        workshop.path("").toString()));
        workshop.awaitListening(backend, port);
        byRole.put("direct", new Contestant("no proxy", backend.toHandle(), url(port)));
    }

    private void go() throws IOException, InterruptedException {
        if (!Workshop.isInstalled("go")) {
            absent.add("Go toolchain: no Go reverse proxy, no watches, no changes of a CRD");
            return;
        }
        workshop.write("yardstick.go", "yardstick.go");
        workshop.run(
                "go",
                Workshop.LOAD_CPU,
                List.of(
                        "go",
                        "build",
                        "-o",
                        tool(),
                        workshop.path("yardstick.go").toString()));
        versions.add(workshop.run("go-version", Workshop.LOAD_CPU, List.of("go", "version"))
                .strip());
        watchesServer("watches", "http/1.1");
        watchesServer("watches-h2", "h2");
        types = typesServer();
        int port = workshop.port("go");
        Process proxy = workshop.start(
                "go-proxy",
                Workshop.PROXY_CPU,
                List.of(tool(), "proxy", host(port), "https://127.0.0.1:" + backendH2(), cert(), key()));
        workshop.awaitListening(proxy, port);
        byRole.put("go", new Contestant("Go", proxy.toHandle(), url(port)));
    }

    private Process typesServer() throws IOException, InterruptedException {
        int port = workshop.port("types");
        Process server = workshop.talk(
                "types", Workshop.LOAD_CPU, List.of(tool(), "types", host(port), cert(), key(), Callers.ADMINISTRATOR));
        workshop.awaitListening(server, port);
        return server;
    }

    private void watchesServer(String name, String protocol) throws IOException, InterruptedException {
        int port = workshop.port(name);
        Process server = workshop.start(
                name, Workshop.LOAD_CPU, List.of(tool(), "watches", host(port), cert(), key(), protocol));
        workshop.awaitListening(server, port);
    }

    private void fairlead() throws IOException, InterruptedException {
        int port = workshop.port("fairlead");
        attach("h1");
        attach("h2");
        for (String cluster : List.of("watches", "watches-h2", "types")) {
            if (!workshop.word(cluster).isEmpty()) {
                attach(cluster);
            }
        }
        if (!workshop.word("watches").isEmpty()) {
            attach("watches-unguarded", "watches", "Off");
        }
        Process process = workshop.start(
                "fairlead", Workshop.PROXY_CPU, Serving.command(workshop, launcher, "data", port, List.of()));
        workshop.awaitListening(process, port);
        Callers.letAnnIn(workshop, url(port));
        byRole.put(
                "fairlead types",
                new Contestant(
                        "Fairlead",
                        process.toHandle(),
                        url(port) + "/fairlead/v1/clusters/types/served?group=example.com&version=v2"));
        for (String cluster : CLUSTERS) {
            byRole.put(
                    "fairlead " + cluster,
                    new Contestant("Fairlead", process.toHandle(), url(port) + "/clusters/" + cluster));
        }
        byRole.put(
                "unguarded watches",
                new Contestant(
                        "Fairlead without the guard", process.toHandle(), url(port) + "/clusters/watches-unguarded"));
        versions.add(workshop.run("version", Workshop.LOAD_CPU, List.of(launcher.toString(), "version"))
                .lines()
                .findFirst()
                .orElse("")
                .strip());
    }

    /** Adds a second gateway before the same clusters, which records each request. */
    void addAudited() throws IOException, InterruptedException {
        int port = workshop.port("audited");
        List<String> flags = List.of(
                "--audit-policy-file",
                workshop.write("audit-policy.yaml", "audit-policy.yaml").toString(),
                "--audit-log-path",
                workshop.path("audit.log").toString());
        Process process = workshop.start(
                "audited", Workshop.PROXY_CPU, Serving.command(workshop, launcher, "data-audited", port, flags));
        workshop.awaitListening(process, port);
        for (String cluster : List.of("h1", "h2")) {
            Callers.awaitAnswer(workshop, url(port) + "/clusters/" + cluster + BODIES + SIZES.getFirst());
            byRole.put(
                    "audited " + cluster,
                    new Contestant(
                            "Fairlead with an audit log", process.toHandle(), url(port) + "/clusters/" + cluster));
        }
    }

    private void attach(String cluster) throws IOException {
        attach(cluster, cluster, "Enforce");
    }

    private void attach(String cluster, String server, String historyMode) throws IOException {
        workshop.word("cluster", cluster);
        workshop.word("historyMode", historyMode);
        workshop.word("server", server(server));
        workshop.write("cluster.yaml", "clusters/" + cluster + ".yaml");
    }

    /** What is behind a cluster of the gateway. */
    private String server(String cluster) {
        String port = switch (cluster) {
            case "h1" -> workshop.word("backend");
            case "h2" -> backendH2();
            default -> workshop.word(cluster);
        };
        return "https://127.0.0.1:" + port;
    }

    private void haproxy(String role, String buffers) throws IOException, InterruptedException {
        if (!Workshop.isInstalled("haproxy")) {
            absent.add(role);
            return;
        }
        int port = workshop.port("haproxy");
        int h2 = workshop.port("haproxyH2");
        int h2ToH2 = workshop.port("haproxyH2ToH2");
        int mutual = workshop.port("haproxyMutual");
        int watches = workshop.port("haproxyWatches");
        int watchesH2 = workshop.port("haproxyWatchesH2");
        workshop.word("buffers", buffers);
        if (workshop.word("watches").isEmpty()) {
            workshop.word("watches", workshop.word("backend"));
            workshop.word("watches-h2", workshop.word("backendH2"));
        }
        Path configuration = workshop.write("haproxy.cfg", role.replaceAll("\\W+", "-") + ".cfg");
        Process process = workshop.start(
                role.replaceAll("\\W+", "-"),
                Workshop.PROXY_CPU,
                List.of("haproxy", "-db", "-f", configuration.toString()));
        workshop.awaitListening(process, port);
        ProcessHandle handle = process.toHandle();
        byRole.put(role, new Contestant("HAProxy", handle, url(port)));
        byRole.put(role + " mutual", new Contestant("HAProxy", handle, url(mutual)));
        byRole.put(role + " h2", new Contestant("HAProxy h2 to h1", handle, url(h2)));
        byRole.put(role + " h2 to h2", new Contestant("HAProxy h2 to h2", handle, url(h2ToH2)));
        byRole.put(role + " watches", new Contestant("HAProxy", handle, url(watches)));
        byRole.put(role + " watches-h2", new Contestant("HAProxy", handle, url(watchesH2)));
        if (buffers.isEmpty()) {
            versions.add(workshop.run("version", Workshop.LOAD_CPU, List.of("haproxy", "-v"))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip());
        }
    }

    private void nginx() throws IOException, InterruptedException {
        int port = workshop.port("nginx");
        Path configuration = workshop.write("nginx.conf", "nginx.conf");
        Process process = workshop.start(
                "nginx",
                Workshop.PROXY_CPU,
                List.of(
                        "nginx",
                        "-c",
                        configuration.toString(),
                        "-e",
                        "nginx.log",
                        "-p",
                        workshop.path("").toString()));
        workshop.awaitListening(process, port);
        byRole.put("nginx", new Contestant("nginx", process.toHandle(), url(port)));
        versions.add(workshop.run("version", Workshop.LOAD_CPU, List.of("sh", "-c", "nginx -v 2>&1"))
                .strip());
    }

    private String backendH2() {
        return workshop.word("backendH2");
    }

    private String tool() {
        return workshop.path("yardstick").toString();
    }

    /** The certificate that signs all servers'. */
    String cert() {
        return workshop.path("cert.pem").toString();
    }

    private String key() {
        return workshop.path("cert.key").toString();
    }

    private static String host(int port) {
        return "127.0.0.1:" + port;
    }

    private static String url(int port) {
        return "https://127.0.0.1:" + port;
    }
}
