package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@link PublishedGroup#ALL}: three hosted clusters of one Fairlead, and two real clusters into which they are published, in a network
 * of their own. What clients of the two find in their discovery is noted from the beginning, when nothing is published.
 */
final class TwelveGroups implements AutoCloseable {
    /** With all controllers that namespaces need. */
    static final String EAST = "east";

    static final String WEST = "west";
    static final List<String> TARGETS = List.of(EAST, WEST);

    /** A namespace of both. */
    static final String TEAM = "team";

    static final KubeCluster.User ANNA = new KubeCluster.User("token-of-anna", "anna", "", "team");
    static final KubeCluster.User BERT = new KubeCluster.User("token-of-bert", "bert", "", "team");

    private static final String IN_EACH = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: %s}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: team}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: routes, namespace: team}
        rules: [{apiGroups: [route.openshift.io], resources: [routes], verbs: ["*"]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: routes, namespace: team}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: routes}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team}]
        """.formatted(PublishedGroup.NAMESPACE);

    private final Path folder;
    private final NetworkNamespace network;
    private final Map<String, KubeCluster> kubes = new LinkedHashMap<>();
    private final Map<String, Kubectl> targets = new TreeMap<>();
    private final Map<String, Kubectl> sources = new TreeMap<>();
    private final FairleadProcess fairlead;
    private final Kubectl root;
    private final DiscoveryNotes discovery;
    private final Disturbances disturbances = new Disturbances();
    private long killed;

    TwelveGroups(Path folder) throws IOException {
        this.folder = folder;
        network = NetworkNamespace.open(folder);
        for (String name : TARGETS) {
            startTarget(name);
        }
        kube(EAST).startControllerManager();
        fairlead = FairleadProcess.startAsBackend(network, Files.createDirectories(folder.resolve("fairlead")));
        root = new Kubectl(folder.resolve("root"), fairlead.adminKubeconfig(), network);
        kubes.forEach((name, kube) -> fairlead.attach(name, kube.kubeconfig()));
        PublishedGroup.ALL.stream()
                .collect(Collectors.groupingBy(PublishedGroup::source, TreeMap::new, Collectors.toList()))
                .forEach(this::startSource);
        discovery = DiscoveryNotes.open(network, folder, kubes);
    }

    private void startTarget(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        KubeCluster kube = FrontProxy.startCluster(network, own, ANNA, BERT);
        kubes.put(name, kube);
        Kubectl kubectl = new Kubectl(folder.resolve("kubectl-" + name), kube.kubeconfig(), network);
        targets.put(name, kubectl);
        kubectl.succeedWith(IN_EACH, "apply", "-f", "-");
    }

    private void startSource(String name, List<PublishedGroup> groups) {
        assertThat(fairlead.command("cluster", "create", name).exitCode()).isZero();
        Kubectl kubectl = new Kubectl(folder.resolve("source-" + name), fairlead.kubeconfigOf(name), network);
        sources.put(name, kubectl);
        kubectl.succeedWith(documents(groups.stream().map(PublishedGroup::definition)), "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
    }

    private KubeCluster kube(String target) {
        return Objects.requireNonNull(kubes.get(target), target);
    }

    /** The administrator of a target. */
    Kubectl target(String name) {
        return Objects.requireNonNull(targets.get(name), name);
    }

    /** A user of a target. */
    Kubectl user(String target, KubeCluster.User user) {
        Path kubeconfig = kube(target).kubeconfig(user.name(), user.token());
        return new Kubectl(folder.resolve(user.name() + "-" + target), kubeconfig, network);
    }

    /** The administrator of the hosted cluster that has a group. */
    Kubectl source(PublishedGroup group) {
        return Objects.requireNonNull(sources.get(group.source()), group.source());
    }

    Disturbances disturbances() {
        return disturbances;
    }

    /** Fails if clients of the targets found anything in their discovery, so far, that may not be. */
    void checkDiscovery() {
        disturbances.check(discovery.notes(), discovery.listings(), discovery.begun(), System.currentTimeMillis());
    }

    /** Publishes in both targets, without waiting for it. */
    void publish(Collection<PublishedGroup> groups) {
        root.succeedWith(documents(groups.stream().map(PublishedGroup::publication)), "create", "-f", "-");
    }

    /** Takes back, without waiting for it. */
    void withdraw(Collection<PublishedGroup> groups) {
        List<String> command = new ArrayList<>(List.of("delete", "apipublications", "--wait=false"));
        groups.forEach(group -> command.add(group.group()));
        root.succeed(command.toArray(String[]::new));
    }

    private static String documents(Stream<String> each) {
        return each.collect(Collectors.joining("---\n"));
    }

    /** SIGKILL. */
    void kill() {
        killed = System.currentTimeMillis();
        fairlead.kill();
    }

    /** Starts Fairlead again; returns when it says that it is ready. */
    void start() {
        fairlead.start();
        disturbances.away(killed, System.currentTimeMillis());
    }

    /** The publications, by name. */
    SortedMap<String, JsonObject> publications() {
        SortedMap<String, JsonObject> all = new TreeMap<>();
        for (JsonElement item : JsonParser.parseString(root.succeed("get", "apipublications", "-o", "json"))
                .getAsJsonObject()
                .getAsJsonArray("items")) {
            JsonObject object = item.getAsJsonObject();
            all.put(object.getAsJsonObject("metadata").get("name").getAsString(), object);
        }
        return all;
    }

    /** The names of the publications that are available, as Fairlead says. */
    static Set<String> available(Map<String, JsonObject> publications) {
        Set<String> available = new TreeSet<>();
        publications.forEach((name, object) -> {
            JsonObject status = object.getAsJsonObject("status");
            boolean isDeleted = object.getAsJsonObject("metadata").has("deletionTimestamp");
            if (!isDeleted && status != null && PublishedObjects.isAvailable(status)) {
                available.add(name);
            }
        });
        return available;
    }

    /** What is in a target of the publications that are there. */
    PublishedObjects objects(String target, Map<String, JsonObject> publications) {
        Map<String, String> names = new TreeMap<>();
        publications.forEach((name, object) ->
                names.put(object.getAsJsonObject("metadata").get("uid").getAsString(), name));
        return PublishedObjects.read(target(target), names);
    }

    /** What each group is in the discovery of a target. */
    Map<String, String> discovered(String target) {
        return discovery.states(target);
    }

    @Override
    public void close() {
        discovery.close();
        fairlead.close();
        kubes.values().forEach(KubeCluster::close);
        network.close();
    }
}
