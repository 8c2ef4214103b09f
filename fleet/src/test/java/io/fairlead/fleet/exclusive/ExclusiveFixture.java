package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rules about ConfigMaps of two hosted clusters. */
abstract class ExclusiveFixture {
    static final String RULES = "/apis/fairlead.io/v1alpha1/exclusivekeys";
    static final ClusterName EU = new ClusterName("eu");
    static final ClusterName US = new ClusterName("us");
    static final UserInfo AUTHOR = UserInfo.of("author", List.of(UserInfo.AUTHENTICATED));
    static final String ABOUT_MAPS = "clusters: {all: true}, resource: {version: v1, resource: configmaps}";
    static final String HOSTS = "key: '\"host\" in object.?data.orValue({}) ? object.data.host : null'";

    static final String BOAT_SCHEMA =
            "schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}";

    final RootCluster root = new RootCluster(_ -> Optional.empty());
    final Map<ClusterName, Map<String, String>> clusters = new ConcurrentHashMap<>(Map.of(EU, Map.of(), US, Map.of()));

    final AtomicInteger errorsOfController = new AtomicInteger();
    final AtomicInteger errorsOfLookups = new AtomicInteger();

    long claimsBytesMax = ExclusiveKeys.CLAIMS_BYTES_MAX;

    @TempDir
    Path folder;

    Informers informers;
    ExclusiveKeys keys;

    @BeforeEach
    void start() throws IOException {
        for (ClusterName name : List.of(EU, US)) {
            for (String namespace : List.of("shop", "bank")) {
                RootCluster.send(cluster(name), "POST", "/api/v1/namespaces", "{metadata: {name: " + namespace + "}}");
            }
        }
        process();
    }

    final void process() throws IOException {
        informers = new Informers(this::lookup, _ -> 1, Instant::now);
        keys = new ExclusiveKeys(
                root.root,
                () -> {
                    fail(errorsOfController);
                    return Map.copyOf(clusters);
                },
                this::lookup,
                (user, _) -> !user.name().equals("stranger"),
                informers,
                KeySecret.open(folder.resolve("secret")),
                root.keyAdmission,
                claimsBytesMax,
                ConflictTransitions.NONE,
                Instant::now,
                new Random(1));
        keys.start();
    }

    @AfterEach
    void close() {
        keys.close();
        informers.close();
        root.close();
    }

    ClusterEntry lookup(ClusterName name) {
        fail(errorsOfLookups);
        return new ClusterEntry.Hosted(cluster(name));
    }

    static void fail(AtomicInteger errors) {
        if (errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
    }

    HostedCluster cluster(ClusterName name) {
        return root.hosted.open(name);
    }

    void letWriteRules(UserInfo user) {
        root.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "{metadata: {name: rules}, rules: [{apiGroups: [fairlead.io], resources: [exclusivekeys], verbs:"
                        + " ['*']}]}");
        root.create(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                "{metadata: {name: rules}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name:"
                        + " rules}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User,"
                        + " name: " + user.name() + "}]}");
    }

    void rule(String name, String spec) {
        ruleBy(ADMIN, name, spec);
    }

    void ruleBy(UserInfo user, String name, String spec) {
        RootCluster.Answer answer = root.send(user, "POST", RULES, text(name, spec));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    static String text(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: ExclusiveKey, metadata: {name: " + name + "}, spec: {" + spec
                + "}}";
    }

    /** Boats of {@code example.com}, in versions {@code v1} and {@code v2}. */
    void define(ClusterName cluster) {
        RootCluster.send(
                cluster(cluster),
                "POST",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "{metadata: {name: boats.example.com}, spec: {group: example.com, scope: Namespaced, names:"
                        + " {plural: boats, singular: boat, kind: Boat, listKind: BoatList}, versions: [{name: v1,"
                        + " served: true, storage: true, " + BOAT_SCHEMA
                        + "}, {name: v2, served: true, storage: false, " + BOAT_SCHEMA + "}]}}");
        eventually("it is served", () -> isServed(cluster, "v2"));
    }

    boolean isServed(ClusterName name, String version) {
        try {
            return RootCluster.send(cluster(name), "GET", "/apis/example.com/" + version + "/namespaces/shop/boats", "")
                            .code()
                    == 200;
        } catch (DefinitionChangedException notYet) {
            return false;
        }
    }

    void map(ClusterName cluster, String namespace, String name, String data) {
        RootCluster.Answer answer = RootCluster.send(
                cluster(cluster),
                "POST",
                "/api/v1/namespaces/" + namespace + "/configmaps",
                "{metadata: {name: " + name + "}, data: {" + data + "}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    void update(ClusterName cluster, String namespace, String name, String data) {
        RootCluster.Answer answer = RootCluster.send(
                cluster(cluster),
                "PUT",
                "/api/v1/namespaces/" + namespace + "/configmaps/" + name,
                "{metadata: {name: " + name + "}, data: {" + data + "}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    /** Times of objects have whole seconds. */
    static void tick() {
        long second = Instant.now().getEpochSecond();
        eventually("the next second", () -> Instant.now().getEpochSecond() > second);
    }

    JsonNode rule(String name) {
        return root.send(ADMIN, "GET", RULES + "/" + name, "").body();
    }

    JsonNode status(String name) {
        return rule(name).path("status");
    }

    JsonNode condition(String name, String type) {
        return Condition.in(status(name), type);
    }

    /** What is said of the rule as it is now. */
    void awaitCondition(String name, String type, String status, String reason) {
        eventually(type + " of " + name + " is " + status + ", " + reason, () -> {
            JsonNode rule = rule(name);
            JsonNode condition = Condition.in(rule.path("status"), type);
            return condition.path("status").asString("").equals(status)
                    && condition.path("reason").asString("").equals(reason)
                    && condition
                            .path("observedGeneration")
                            .equals(rule.path("metadata").path("generation"));
        });
    }

    void awaitObjects(String name) {
        eventually(
                "all are compared",
                () -> status(name).path("objects").asInt() >= 3
                        && condition(name, "Observing")
                                .path("status")
                                .asString("")
                                .equals("True"));
    }

    List<String> events(ClusterName cluster, String namespace) {
        List<String> told = new ArrayList<>();
        RootCluster.send(cluster(cluster), "GET", "/api/v1/namespaces/" + namespace + "/events", "")
                .body()
                .path("items")
                .values()
                .forEach(event -> told.add(event.path("reason").asString("") + ": "
                        + event.path("message").asString("")));
        return told;
    }
}
