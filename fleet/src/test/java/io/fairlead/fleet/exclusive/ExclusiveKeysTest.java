package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.Condition;
import io.fairlead.fleet.root.RootCluster;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rules about ConfigMaps of two hosted clusters. */
final class ExclusiveKeysTest {
    private static final String RULES = "/apis/fairlead.io/v1alpha1/exclusivekeys";
    private static final ClusterName EU = new ClusterName("eu");
    private static final ClusterName US = new ClusterName("us");
    private static final UserInfo AUTHOR = UserInfo.of("author", List.of(UserInfo.AUTHENTICATED));
    private static final String ABOUT_MAPS = "clusters: {all: true}, resource: {version: v1, resource: configmaps}";
    private static final String HOSTS = "key: '\"host\" in object.?data.orValue({}) ? object.data.host : null'";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Map<ClusterName, Map<String, String>> clusters =
            new ConcurrentHashMap<>(Map.of(EU, Map.of(), US, Map.of()));

    private final AtomicInteger errorsOfController = new AtomicInteger();
    private final AtomicInteger errorsOfLookups = new AtomicInteger();

    @TempDir
    private Path folder;

    private Informers informers;
    private ExclusiveKeys keys;

    @BeforeEach
    void start() throws IOException {
        for (ClusterName name : List.of(EU, US)) {
            for (String namespace : List.of("shop", "bank")) {
                RootCluster.send(cluster(name), "POST", "/api/v1/namespaces", "{metadata: {name: " + namespace + "}}");
            }
        }
        process();
    }

    private void process() throws IOException {
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

    @Test
    void oneHostInTwoClusters_isReported_andEnds() {
        rule("hosts", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        awaitCondition("hosts", "Conflict", "False", "NoConflict");
        map(EU, "shop", "old", "host: a.example");
        tick();
        map(US, "bank", "young", "host: a.example");
        map(US, "bank", "other", "host: b.example");

        awaitCondition("hosts", "Conflict", "True", "ExclusiveKeyConflict");

        JsonNode conflict = status("hosts").at("/conflicts/0");
        assertThat(status("hosts").path("conflictsTotal").asInt()).isEqualTo(1);
        assertThat(status("hosts").path("objects").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(conflict.path("key").asString("")).matches("exclusive-key/hosts/[0-9a-f]{32}");
        assertThat(conflict.at("/peers/0/name").asString("")).isEqualTo("eu/shop/old");
        assertThat(conflict.at("/peers/0/role").asString("")).isEqualTo("Incumbent");
        assertThat(conflict.at("/peers/1/name").asString("")).isEqualTo("us/bank/young");
        assertThat(status("hosts").toString()).doesNotContain("a.example");
        eventually(
                "both are told",
                () -> events(EU, "shop").size() == 1 && events(US, "bank").size() == 1);
        assertThat(events(EU, "shop").getFirst())
                .startsWith("ClaimConflict: exclusive-key/hosts/")
                .contains("this one stays")
                .doesNotContain("young");
        assertThat(events(US, "bank").getFirst()).contains("another one stays").doesNotContain("old");

        update(US, "bank", "young", "host: c.example");

        awaitCondition("hosts", "Conflict", "False", "NoConflict");
        eventually(
                "both are told",
                () -> events(EU, "shop").size() == 2 && events(US, "bank").size() == 2);
        assertThat(events(US, "bank")).anyMatch(event -> event.startsWith("ClaimConflictResolved"));
    }

    @Test
    void scopes_separateKeys() {
        rule("by-namespace", ABOUT_MAPS + ", scope: Namespace, " + HOSTS);
        rule("by-cluster", ABOUT_MAPS + ", scope: Cluster, " + HOSTS);
        map(EU, "shop", "one", "host: a.example");
        map(EU, "bank", "two", "host: a.example");
        map(US, "shop", "three", "host: a.example");

        awaitCondition("by-cluster", "Conflict", "True", "ExclusiveKeyConflict");
        awaitObjects("by-namespace");
        assertThat(status("by-cluster").at("/conflicts/0/peersTotal").asInt()).isEqualTo(2);
        assertThat(condition("by-namespace", "Conflict").path("status").asString(""))
                .isEqualTo("False");
    }

    @Test
    void ofThreeHolders_oneLeaves() {
        rule("hosts", ABOUT_MAPS + ", scope: Fleet, onConflict: AllLose, " + HOSTS);
        map(EU, "shop", "one", "host: a.example");
        map(EU, "shop", "two", "host: a.example");
        map(EU, "shop", "three", "host: a.example");
        eventually("three", () -> status("hosts").at("/conflicts/0/peersTotal").asInt() == 3);
        String since = status("hosts").at("/conflicts/0/since").asString("");

        RootCluster.send(cluster(EU), "DELETE", "/api/v1/namespaces/shop/configmaps/two", "");

        eventually("two", () -> status("hosts").at("/conflicts/0/peersTotal").asInt() == 2);
        assertThat(status("hosts").at("/conflicts/0/peers").toString())
                .doesNotContain("two")
                .doesNotContain("Incumbent");
        assertThat(status("hosts").at("/conflicts/0/since").asString("")).isEqualTo(since);
        assertThat(events(EU, "shop")).hasSize(3).allMatch(event -> event.contains("none of them stays"));
    }

    @Test
    void anObjectWithoutAKey_isNeverNoConflict_andKeepsWhatItClaimed() {
        rule(
                "hosts",
                ABOUT_MAPS
                        + ", scope: Cluster, key: \"object.metadata.namespace == 'shop' ? object.data.host : null\"");
        map(EU, "shop", "one", "host: a.example");
        map(EU, "shop", "two", "host: b.example");
        eventually(
                "the CA's map has no host",
                () -> condition("hosts", "Conflict").path("reason").asString("").equals("NoConflict"));

        update(EU, "shop", "two", "other: x");
        awaitCondition("hosts", "Conflict", "Unknown", "NotRendered");
        assertThat(status("hosts").at("/notRendered/0/name").asString("")).isEqualTo("eu/shop/two");
        assertThat(status("hosts").at("/notRendered/0/message").asString("")).contains("no such key: host");

        map(EU, "shop", "three", "host: b.example");
        awaitCondition("hosts", "Conflict", "True", "ExclusiveKeyConflict");
        assertThat(status("hosts").at("/conflicts/0/peers").toString())
                .contains("eu/shop/two")
                .contains("eu/shop/three");
    }

    @Test
    void aListThatIsMade_hasAKeyForEachElement_andOneThatIsWrittenOutIsOneKey() {
        rule(
                "each",
                ABOUT_MAPS + ", scope: Cluster, key: \"object.?data.hosts.orValue('').split(',').filter(h, h != '')\"");
        rule(
                "pair",
                ABOUT_MAPS
                        + ", scope: Cluster, key: \"has(object.data) && has(object.data.hosts) ?"
                        + " dyn([object.data.hosts, object.data.pair]) : null\"");
        map(EU, "shop", "one", "hosts: 'a,b', pair: x");
        map(EU, "shop", "two", "hosts: 'b,c', pair: x");
        map(EU, "shop", "three", "hosts: 'a,b', pair: z");
        map(EU, "shop", "four", "hosts: 'a,b', pair: x");

        eventually(
                "a by three, b by all",
                () -> status("each").path("conflictsTotal").asInt() == 2);
        eventually("one and four", () -> status("pair").path("conflictsTotal").asInt() == 1);
        assertThat(status("pair").at("/conflicts/0/peers").toString())
                .contains("eu/shop/one")
                .contains("eu/shop/four");
    }

    @Test
    void lookedUpObjects_makeKeys_andNewOnesWhenTheyChange() {
        rule(
                "pools",
                ABOUT_MAPS
                        + ", scope: Namespace, onConflict: AllLose, lookups: [{name: pool, resource: {version: v1,"
                        + " resource: configmaps}, objectName: \"object.?data.pool.orValue('none')\"}], key:"
                        + " \"has(object.data.pool) ? dyn([pool.data.selector, object.data.container]) : null\"");
        map(EU, "shop", "none", "selector: none");
        map(EU, "shop", "a", "pool: p1, container: c");
        map(EU, "shop", "b", "pool: p2, container: c");
        eventually(
                "the pools are missing",
                () -> status("pools").at("/notRendered").toString().contains("eu/shop/b"));
        map(EU, "shop", "p1", "selector: x");
        map(EU, "shop", "p2", "selector: x");
        awaitCondition("pools", "Conflict", "True", "ExclusiveKeyConflict");

        update(EU, "shop", "p2", "selector: z");
        eventually("no conflict", () -> status("pools").path("conflictsTotal").asInt() == 0);
        update(EU, "shop", "p2", "selector: x");
        awaitCondition("pools", "Conflict", "True", "ExclusiveKeyConflict");
        update(EU, "shop", "b", "pool: p2, container: d");
        eventually("no conflict", () -> status("pools").path("conflictsTotal").asInt() == 0);
    }

    @Test
    void anAuthorWithoutRights_isToldWhichOneIsMissing() {
        letWriteRules(AUTHOR);
        ruleBy(AUTHOR, "mine", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        map(EU, "shop", "one", "host: a.example");
        map(US, "shop", "two", "host: a.example");

        awaitCondition("mine", "Observing", "False", "AuthorForbidden");
        assertThat(condition("mine", "Observing").path("message").asString(""))
                .contains("\"author\" may not list configmaps");
        assertThat(condition("mine", "Conflict").path("status").asString("")).isEqualTo("Unknown");
        assertThat(status("mine").path("objects").asInt()).isZero();
    }

    @Test
    void theAuthor_isWhoWroteTheRule_whateverTheObjectSays() {
        letWriteRules(AUTHOR);
        String forged = "{apiVersion: fairlead.io/v1alpha1, kind: ExclusiveKey, metadata: {name: mine, annotations: {"
                + Author.ANNOTATION + ": '{\"username\": \"admin\", \"groups\": [\"system:masters\"]}'}}, spec: {"
                + ABOUT_MAPS + ", scope: Fleet, " + HOSTS + "}}";
        assertThat(root.send(AUTHOR, "POST", RULES, forged).code()).isEqualTo(201);
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");

        root.send(
                AUTHOR,
                "PATCH",
                RULES + "/mine",
                "{metadata: {annotations: {" + Author.ANNOTATION + ": '{\"username\": \"admin\"}'}}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");

        root.send(ADMIN, "PATCH", RULES + "/mine", "{metadata: {labels: {a: b}}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("author");
        root.send(ADMIN, "PATCH", RULES + "/mine", "{spec: {scope: Cluster}}");
        assertThat(Author.of(rule("mine"))).map(UserInfo::name).contains("admin");
    }

    @Test
    void aRestart_givesTheSameKeys_sinceTheSameTime_andTellsNobodyAgain() throws IOException {
        rule("hosts", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        map(EU, "shop", "old", "host: a.example");
        map(US, "bank", "young", "host: a.example");
        awaitCondition("hosts", "Conflict", "True", "ExclusiveKeyConflict");
        eventually(
                "both are told",
                () -> events(EU, "shop").size() == 1 && events(US, "bank").size() == 1);
        JsonNode before = status("hosts").path("conflicts");
        keys.close();
        informers.close();
        tick();

        process();
        map(US, "bank", "third", "host: a.example");
        eventually("three", () -> status("hosts").at("/conflicts/0/peersTotal").asInt() == 3);

        assertThat(status("hosts").at("/conflicts/0/key")).isEqualTo(before.at("/0/key"));
        assertThat(status("hosts").at("/conflicts/0/since")).isEqualTo(before.at("/0/since"));
        eventually("the third is told", () -> events(US, "bank").size() == 2);
        assertThat(events(EU, "shop")).hasSize(1);
    }

    @Test
    void invalidRules_areRefused_withTheField() {
        assertThat(refused("key: 'object.'")).containsExactly("spec.key");
        assertThat(refused("key: 'objekt.x'")).containsExactly("spec.key");
        assertThat(refused("key: '1 + \"a\"'")).containsExactly("spec.key");
        assertThat(refused("key: 'object.x', lookups: [{name: cluster, resource: {version: v1, resource: pods},"
                        + " objectName: 'object.'}]"))
                .containsExactly("spec.lookups[0].name", "spec.lookups[0].objectName");
        assertThat(refused("key: 'object.x', withdraw: [{resource: {version: v1, resource: secrets}}]"))
                .containsExactly("spec.withdraw[0].resource");
        String secrets =
                "clusters: {all: true}, resource: {version: v1, resource: secrets}, scope: Fleet, key: 'object.x'";
        assertThat(root.send(ADMIN, "POST", RULES, text("bad", secrets)).fields())
                .containsExactly("spec.resource");
    }

    private List<String> refused(String rest) {
        RootCluster.Answer answer =
                root.send(ADMIN, "POST", RULES, text("bad", ABOUT_MAPS + ", scope: Fleet, " + rest));
        assertThat(answer.code()).isEqualTo(422);
        return answer.fields();
    }

    @Test
    void error_endsNoneOfTheThreads() {
        errorsOfController.set(2);
        errorsOfLookups.set(6);
        rule("hosts", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        map(EU, "shop", "old", "host: a.example");
        map(US, "bank", "young", "host: a.example");

        awaitCondition("hosts", "Conflict", "True", "ExclusiveKeyConflict");
        eventually(
                "both are told",
                () -> events(EU, "shop").size() == 1 && events(US, "bank").size() == 1);
        assertThat(errorsOfController.get()).isNegative();
        assertThat(errorsOfLookups.get()).isNegative();
    }

    private ClusterEntry lookup(ClusterName name) {
        fail(errorsOfLookups);
        return new ClusterEntry.Hosted(cluster(name));
    }

    private static void fail(AtomicInteger errors) {
        if (errors.getAndDecrement() > 0) {
            throw new OutOfMemoryError("of the test");
        }
    }

    private HostedCluster cluster(ClusterName name) {
        return root.hosted.open(name);
    }

    private void letWriteRules(UserInfo user) {
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

    private void rule(String name, String spec) {
        ruleBy(ADMIN, name, spec);
    }

    private void ruleBy(UserInfo user, String name, String spec) {
        RootCluster.Answer answer = root.send(user, "POST", RULES, text(name, spec));
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private static String text(String name, String spec) {
        return "{apiVersion: fairlead.io/v1alpha1, kind: ExclusiveKey, metadata: {name: " + name + "}, spec: {" + spec
                + "}}";
    }

    private void map(ClusterName cluster, String namespace, String name, String data) {
        RootCluster.Answer answer = RootCluster.send(
                cluster(cluster),
                "POST",
                "/api/v1/namespaces/" + namespace + "/configmaps",
                "{metadata: {name: " + name + "}, data: {" + data + "}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private void update(ClusterName cluster, String namespace, String name, String data) {
        RootCluster.Answer answer = RootCluster.send(
                cluster(cluster),
                "PUT",
                "/api/v1/namespaces/" + namespace + "/configmaps/" + name,
                "{metadata: {name: " + name + "}, data: {" + data + "}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(200);
    }

    /** Times of objects have whole seconds. */
    private static void tick() {
        long second = Instant.now().getEpochSecond();
        eventually("the next second", () -> Instant.now().getEpochSecond() > second);
    }

    private JsonNode rule(String name) {
        return root.send(ADMIN, "GET", RULES + "/" + name, "").body();
    }

    private JsonNode status(String name) {
        return rule(name).path("status");
    }

    private JsonNode condition(String name, String type) {
        return Condition.in(status(name), type);
    }

    private void awaitCondition(String name, String type, String status, String reason) {
        eventually(
                type + " of " + name + " is " + status + ", " + reason,
                () -> condition(name, type).path("status").asString("").equals(status)
                        && condition(name, type).path("reason").asString("").equals(reason));
    }

    private void awaitObjects(String name) {
        eventually(
                "all are compared",
                () -> status(name).path("objects").asInt() >= 3
                        && condition(name, "Observing")
                                .path("status")
                                .asString("")
                                .equals("True"));
    }

    private List<String> events(ClusterName cluster, String namespace) {
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
