package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.UserInfo;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which objects a rule says to be in conflict, and to whom. */
final class ExclusiveKeysTest extends ExclusiveFixture {
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
        assertThat(events(US, "bank").getFirst())
                .contains("one elsewhere stays")
                .doesNotContain("old");

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
    void anEmptyListClaimsNothing_andLeavesTheFormToTheOtherBranch() {
        rule(
                "each",
                ABOUT_MAPS + ", scope: Fleet, key: \"has(object.data) && has(object.data.hosts) ?"
                        + " object.data.hosts.split(',').map(x, x) : []\"");
        rule(
                "pair",
                ABOUT_MAPS + ", scope: Fleet, key: \"has(object.data) && has(object.data.hosts) ?"
                        + " [object.data.hosts, 'x'] : []\"");
        map(EU, "shop", "one", "hosts: 'a,b'");
        map(US, "shop", "two", "hosts: b");
        map(EU, "shop", "three", "other: x");
        map(US, "shop", "four", "other: x");

        for (String rule : List.of("each", "pair")) {
            eventually("all are compared", () -> status(rule).path("objects").asInt() >= 4);
        }
        awaitCondition("each", "Conflict", "True", "ExclusiveKeyConflict");
        assertThat(status("each").path("conflictsTotal").asInt()).isEqualTo(1);
        assertThat(status("each").at("/conflicts/0/peersTotal").asInt()).isEqualTo(2);
        assertThat(status("pair").path("conflictsTotal").asInt()).isZero();
        awaitCondition("pair", "Conflict", "False", "NoConflict");
        RootCluster.Answer mixed = root.send(
                ADMIN,
                "POST",
                RULES,
                text(
                        "mixed",
                        ABOUT_MAPS + ", scope: Fleet, key: \"has(object.data) ? ['a', 'b'] :"
                                + " object.metadata.name.split('-')\""));
        assertThat(mixed.fields()).containsExactly("spec.key");
        assertThat(mixed.message()).contains("expected [[a, b]]");
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
    void aRuleThatIsDeleted_tellsItsObjectsThatItsConflictsAreOver() {
        rule("hosts", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        map(EU, "shop", "old", "host: a.example");
        map(US, "bank", "young", "host: a.example");
        eventually(
                "both are told",
                () -> events(EU, "shop").size() == 1 && events(US, "bank").size() == 1);

        root.send(ADMIN, "DELETE", RULES + "/hosts", "");

        eventually(
                "both are told",
                () -> events(EU, "shop").stream().anyMatch(event -> event.startsWith("ClaimConflictResolved"))
                        && events(US, "bank").stream().anyMatch(event -> event.startsWith("ClaimConflictResolved")));
    }

    @Test
    void clustersThatAreNotRegistered_andResourcesThatNoClusterServes_areNamed() {
        String rest = ", resource: {version: v1, resource: configmaps}, scope: Fleet, " + HOSTS;
        rule("typo", "clusters: {matchNames: [eu, su]}" + rest);
        rule("singular", "clusters: {all: true}, resource: {version: v1, resource: configmap}, scope: Fleet, " + HOSTS);

        awaitCondition("typo", "Observing", "False", "NotRegistered");
        assertThat(condition("typo", "Observing").path("message").asString("")).contains("\"su\"");
        assertThat(condition("typo", "Conflict").path("reason").asString("")).isEqualTo("NotObserved");
        awaitCondition("singular", "Observing", "False", "NotServed");
        assertThat(condition("singular", "Observing").path("message").asString(""))
                .contains("v1 configmap (expected");
        assertThat(keys.conflicts())
                .allSatisfy(rule -> assertThat(rule.unknown()).isPresent());
    }

    @Test
    void aClusterWithoutTheResource_hasNoObjects() {
        define(EU);
        rule(
                "berths",
                "clusters: {all: true}, resource: {group: example.com, version: v1, resource: boats}, scope: Fleet,"
                        + " key: object.spec.berth");

        awaitCondition("berths", "Observing", "True", "Observing");
        awaitCondition("berths", "Conflict", "False", "NoConflict");
    }

    @Test
    void ofSeventeenRules_theLastDeniesNothing_andSaysSo() {
        for (int i = 1; i <= 16; i++) {
            rule("rule-" + i, ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        }
        eventually("all are in force", () -> keys.conflicts().size() == 16);

        rule("one-more", ABOUT_MAPS + ", scope: Fleet, enforcement: Deny, " + HOSTS);

        awaitCondition("one-more", "Enforced", "False", "TooManyRules");
        awaitCondition("one-more", "Conflict", "Unknown", "TooManyRules");
    }

    @Test
    void rulesWhoseAuthorsMayReadNothing_keepNoOtherRuleOut() {
        UserInfo carol = UserInfo.of("carol", List.of(UserInfo.AUTHENTICATED));
        letWriteRules(carol);
        for (int i = 1; i <= 16; i++) {
            ruleBy(carol, "none-" + i, ABOUT_MAPS + ", scope: Fleet, " + HOSTS);
        }
        eventually("all have places", () -> keys.conflicts().size() == 16);

        rule("hosts", ABOUT_MAPS + ", scope: Fleet, " + HOSTS);

        awaitCondition("hosts", "Observing", "True", "Observing");
        assertThat(keys.conflicts()).hasSize(16);
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
}
