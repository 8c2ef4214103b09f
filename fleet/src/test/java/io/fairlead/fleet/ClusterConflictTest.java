package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Registrations that lead to one cluster: who stays, who does not, and what is said of it. */
final class ClusterConflictTest extends ConflictFixture {
    @Test
    void newcomer_neverBecomesReady_namesTheIncumbent_andTakesItsPlaceOnceThatIsGone() {
        registerReady("prod-1", server("one", "a"));
        ClusterEntry.Backend incumbent = base("prod-1");
        register("prod-2", server("one", "a").spec());

        await("prod-2", "Conflict", "True ClusterIdentityConflict");
        assertThat(condition("prod-2", "Ready")).isEqualTo("False ClusterIdentityConflict");
        assertThat(entry("prod-2")).isInstanceOfSatisfying(ClusterEntry.Unready.class, refused -> {
            assertThat(refused.cause()).isEqualTo("ClusterIdentityConflict");
            assertThat(refused.message()).doesNotContain("prod-1");
        });
        eventually("the incumbent names it", () -> peers("prod-1").equals(List.of("prod-2 Challenger")));
        assertThat(peers("prod-2")).containsExactly("prod-1 Incumbent");
        assertThat(message("prod-2", "Conflict")).contains("\"prod-1\"", "expected", "spec.aliasOf: prod-1");
        assertThat(status("prod-2").at("/conflicts/0/key").asString("")).isEqualTo("cluster-identity/one");
        assertThat(status("prod-2").at("/conflicts/0/since").asString("")).isNotEmpty();
        assertThat(condition("prod-1", "Ready")).isEqualTo("True Ready");
        assertThat(condition("prod-1", "Conflict")).isEqualTo("False Incumbent");
        assertThat(base("prod-1")).as("nothing of it was made anew").isEqualTo(incumbent);
        assertThat(withheld).doesNotContain("prod-1");
        assertThat(process.index.view(new ClusterName("prod-2")))
                .as("its informers are stopped")
                .isEmpty();

        delete("prod-1");

        await("prod-2", "Ready", "True Ready");
        await("prod-2", "Conflict", "False NoConflict");
        assertThat(entry("prod-2")).isInstanceOf(ClusterEntry.Attached.class);
        assertThat(status("prod-2").has("conflicts")).isFalse();
        assertThat(events("prod-1")).containsExactly("ClaimConflict");
        assertThat(events("prod-2")).containsExactlyInAnyOrder("ClaimConflict", "ClaimConflictResolved");
    }

    @Test
    void ofThree_theTwoThatStayLoseTheOneThatLeaves() {
        registerReady("prod-1", server("one"));
        register("prod-2", server("one").spec());
        await("prod-2", "Conflict", "True ClusterIdentityConflict");
        register("prod-3", server("one").spec());
        eventually("the first names both", () -> peers("prod-1").size() == 2);

        delete("prod-3");

        eventually("the first names one", () -> peers("prod-1").equals(List.of("prod-2 Challenger")));
        eventually("so does the other", () -> peers("prod-2").equals(List.of("prod-1 Incumbent")));
        assertThat(condition("prod-2", "Conflict")).isEqualTo("True ClusterIdentityConflict");
    }

    @Test
    void afterARestart_theSameOneStays_alsoIfItIsTheYounger() {
        FakeCluster server = server("zero");
        registerReady("older", server);
        registerReady("younger", server("one"));
        server.uid("one");
        await("older", "Conflict", "True ClusterIdentityConflict");
        eventually("it holds", () -> status("younger").at("/identity/holds").asBoolean(false));
        withheld.clear();

        restart();

        await("younger", "Ready", "True Ready");
        assertThat(entry("older")).isInstanceOf(ClusterEntry.Unready.class);
        pause();
        assertThat(condition("older", "Conflict")).isEqualTo("True ClusterIdentityConflict");
        assertThat(condition("younger", "Conflict")).isEqualTo("False Incumbent");
        assertThat(withheld).isEmpty();
        assertThat(events("older")).containsOnlyOnce("ClaimConflict");
    }

    @Test
    void whoCannotReadKubeSystem_isNotIdentified_andReadyAllTheSame() {
        FakeCluster server = server("one");
        server.answer(FakeCluster.KUBE_SYSTEM, 403, "{\"message\": \"forbidden\"}");

        registerReady("prod-1", server);

        assertThat(condition("prod-1", "IdentityVerified")).isEqualTo("Unknown CredentialForbidden");
        assertThat(condition("prod-1", "Conflict")).isEqualTo("Unknown NotIdentified");
    }

    @Test
    void otherEndpointsThatDoNotSayWhichClusterTheyAreOf_leaveNoCertainty() {
        registerReady("prod", server("one"));
        eventually("it holds", () -> status("prod").at("/identity/holds").asBoolean(false));
        FakeCluster unsaid = server("two");
        unsaid.answer(FakeCluster.KUBE_SYSTEM, 403, "{\"message\": \"forbidden\"}");

        patch("prod", "{spec: " + unsaid.spec() + "}");

        await("prod", "IdentityVerified", "Unknown CredentialForbidden");
        await("prod", "Conflict", "Unknown NotIdentified");
        unsaid.uid("one");
        await("prod", "Conflict", "False NoConflict");
    }

    @Test
    void incumbentThatIsAway_orPaused_keepsItsPlace() {
        FakeCluster server = server("one");
        registerReady("prod-1", server);
        eventually("it holds", () -> status("prod-1").at("/identity/holds").asBoolean(false));
        server.close();
        await("prod-1", "Reachable", "False ConnectionFailed");

        register("prod-2", server("one").spec());

        await("prod-2", "Conflict", "True ClusterIdentityConflict");
        patch("prod-1", "{spec: {paused: true}}");
        await("prod-1", "Ready", "False Paused");
        pause();
        assertThat(condition("prod-2", "Conflict")).isEqualTo("True ClusterIdentityConflict");
    }

    @Test
    void copyOfAStore_isNoConflict_andSaysSo() {
        registerReady("prod-1", server("one", "a"));
        register("prod-2", server("one", "b").spec());

        await("prod-2", "IdentityVerified", "False Clone");
        await("prod-2", "Ready", "True Ready");
        await("prod-1", "IdentityVerified", "False Clone");
        assertThat(message("prod-2", "IdentityVerified")).contains("prod-1", "other keys");
        assertThat(condition("prod-2", "Conflict")).isEqualTo("False NoConflict");
    }

    @Test
    void serverThatShowsTheKeysOfTwoClusters_takesNeitherDown() {
        registerReady("prod-1", server("one", "a"));
        registerReady("prod-2", server("one", "b"));
        await("prod-2", "IdentityVerified", "False Clone");
        withheld.clear();

        register("fake", server("one", "a", "b").spec());

        await("fake", "Conflict", "True ClusterIdentityConflict");
        pause();
        assertThat(condition("prod-1", "Ready")).isEqualTo("True Ready");
        assertThat(condition("prod-2", "Ready")).isEqualTo("True Ready");
        assertThat(withheld).containsOnly("fake");
    }

    @Test
    void exchangedSigningKeys_leaveTheIncumbentWhereItIs() {
        FakeCluster server = server("one", "a");
        registerReady("prod-1", server);
        FakeCluster same = server("one", "a");
        register("prod-2", same.spec());
        await("prod-2", "Conflict", "True ClusterIdentityConflict");

        same.keys("b");
        pause();
        assertThat(condition("prod-2", "Conflict")).isEqualTo("True ClusterIdentityConflict");
        server.keys("b");
        pause();

        assertThat(condition("prod-1", "Ready")).isEqualTo("True Ready");
        assertThat(condition("prod-2", "Conflict")).isEqualTo("True ClusterIdentityConflict");
    }

    @Test
    void alias_isServedBesideItsTarget() {
        registerReady("prod-1", server("one"));
        register("prod-2", server("one").spec().replaceFirst("\\{attached", "{aliasOf: prod-1, attached"));

        await("prod-2", "Ready", "True Ready");
        pause();
        assertThat(condition("prod-2", "Conflict")).isEqualTo("False NoConflict");
        assertThat(status("prod-1").has("conflicts")).isFalse();
        ClusterFacts facts = process.fleet.facts();
        ClusterName one = new ClusterName("prod-1");
        ClusterName two = new ClusterName("prod-2");
        assertThat(facts.aliasOf(one)).isNull();
        assertThat(facts.aliasOf(two)).isEqualTo(one);
        patch("prod-1", "{spec: {aliasOf: prod-2}}");
        eventually("neither is one, since each names the other", () -> facts.aliasOf(two) == null);
        assertThat(facts.aliasOf(one)).isNull();
        patch("prod-1", "{spec: {aliasOf: prod-9}}");
        eventually("it is one again", () -> one.equals(facts.aliasOf(two)));
        assertThat(facts.aliasOf(one)).as("of none that is registered").isNull();
    }

    @Test
    void aliasOfAnotherCluster_isToldSo_andSilencesNothing() {
        registerReady("prod-1", server("one"));
        registerReady("other", server("two"));
        register("prod-2", server("one").spec().replaceFirst("\\{attached", "{aliasOf: other, attached"));

        await("prod-2", "Conflict", "True ClusterIdentityConflict");
        assertThat(condition("prod-2", "IdentityVerified")).isEqualTo("False NotAnAlias");

        patch("prod-2", "{spec: {aliasOf: prod-1}}");

        await("prod-2", "Ready", "True Ready");
    }

    @Test
    void anotherClusterThanBefore_isServedWithoutWrites_untilItIsConfirmed() {
        FakeCluster server = server("one");
        registerReady("prod", server);
        eventually("it holds", () -> status("prod").at("/identity/holds").asBoolean(false));
        long epoch = status("prod").path("epoch").asLong(0);

        server.uid("two");

        await("prod", "Ready", "False ClusterIdentityMoved");
        assertThat(condition("prod", "IdentityVerified")).isEqualTo("False ClusterIdentityMoved");
        assertThat(message("prod", "IdentityVerified")).contains("two", "one", "fairlead cluster confirm prod");
        eventually("writes are held", () -> entry("prod") instanceof ClusterEntry.Attached held && held.holdsWrites());
        eventually("an epoch begins", () -> status("prod").path("epoch").asLong(0) == epoch + 1);
        restart();
        eventually("writes are held", () -> entry("prod") instanceof ClusterEntry.Attached held && held.holdsWrites());
        assertThat(condition("prod", "Ready")).startsWith("False");

        patch("prod", "{metadata: {annotations: {fairlead.io/confirmed-cluster-uid: three}}}");
        pause();
        assertThat(condition("prod", "IdentityVerified")).isEqualTo("False ClusterIdentityMoved");
        patch("prod", "{metadata: {annotations: {fairlead.io/confirmed-cluster-uid: two}}}");

        await("prod", "Ready", "True Ready");
        eventually("writes go", () -> entry("prod") instanceof ClusterEntry.Attached held && !held.holdsWrites());
        assertThat(status("prod").path("epoch").asLong(0)).isEqualTo(epoch + 1);
    }

    @Test
    void otherEndpoints_holdWritesFromTheFirstMoment() {
        registerReady("prod", server("one"));
        eventually("it holds", () -> status("prod").at("/identity/holds").asBoolean(false));

        patch("prod", "{spec: " + server("two").spec() + "}");

        eventually("writes are held", () -> entry("prod") instanceof ClusterEntry.Attached held && held.holdsWrites());
        await("prod", "IdentityVerified", "False ClusterIdentityMoved");
    }

    @Test
    void endpointsThatLeadBack_areRefused_andAskedNothingElse() {
        FakeCluster server = server("one");
        server.answer(FakeCluster.KUBE_SYSTEM, 508, "{\"reason\": \"LoopDetected\"}");
        register("self", server.spec());

        await("self", "Ready", "False ClusterIdentitySelf");
        assertThat(condition("self", "IdentityVerified")).isEqualTo("False Self");
        assertThat(entry("self")).isInstanceOf(ClusterEntry.Unready.class);
        Set<String> ofChecks = Set.of(FakeCluster.KUBE_SYSTEM, "/openid/v1/jwks", "/version");
        eventually("what was asked before that has ended", () -> {
            List<String> requests = server.requests();
            return requests.size() > 10
                    && ofChecks.containsAll(requests.subList(requests.size() - 10, requests.size()));
        });
        int before = server.requests().size();
        eventually("it is checked again", () -> server.requests().size() > before + 20);
        assertThat(server.requests().subList(before, server.requests().size())).isSubsetOf(ofChecks);

        server.uid("one");

        await("self", "Ready", "True Ready");
    }

    @Test
    void messageThatAPersonEdits_changesNothing() {
        registerReady("prod-1", server("one"));
        register("prod-2", server("one").spec());
        await("prod-2", "Conflict", "True ClusterIdentityConflict");
        String said = message("prod-2", "Conflict");

        var edited = root.cluster("prod-2");
        edited.withArray("/status/conditions")
                .values()
                .forEach(condition -> ((ObjectNode) condition).put("message", "nothing to see"));
        root.send(RootCluster.ADMIN, "PUT", RootCluster.CLUSTERS + "/prod-2/status", edited.toString());

        eventually("it is said again", () -> message("prod-2", "Conflict").equals(said));
        assertThat(entry("prod-2")).isInstanceOf(ClusterEntry.Unready.class);
    }

    @Test
    void manyAtOnce_settleWithOneForEachCluster_theSameAfterARestart() {
        int clusters = 4;
        List<FakeCluster> servers = new ArrayList<>();
        for (int i = 0; i < clusters; i++) {
            servers.add(server("uid-" + i));
        }
        for (int i = 0; i < clusters * 5; i++) {
            register("racer-" + i, servers.get(i % clusters).spec());
        }
        List<String> holders = settled(clusters);

        restart();
        pause();

        assertThat(settled(clusters)).isEqualTo(holders);
    }

    private ClusterEntry.Backend base(String name) {
        return ((ClusterEntry.Attached) entry(name)).base();
    }

    private List<String> settled(int clusters) {
        List<String> holders = new ArrayList<>();
        eventually("all have settled", () -> {
            holders.clear();
            int losers = 0;
            for (int i = 0; i < clusters * 5; i++) {
                String conflict = condition("racer-" + i, "Conflict");
                if (conflict.equals("False Incumbent")) {
                    holders.add("racer-" + i);
                }
                losers += conflict.startsWith("True") ? 1 : 0;
            }
            return holders.size() == clusters && losers == clusters * 4;
        });
        return holders;
    }

    /** Several checks, after which something would have changed if it did. */
    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(700));
    }
}
