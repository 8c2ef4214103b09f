package io.fairlead.fleet;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.CLUSTERS;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsServer;
import io.fairlead.clustersync.ClusterStatus;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.admin.RootCheck;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ClusterName;
import io.fairlead.testkit.HttpServers;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is registered is served, labelled, purged and shown, also to those who may not see all of it. */
final class FleetTest extends FleetFixture {
    @Test
    void controller_thatMeetsAnError_goesOnWithTheSameCluster() {
        errorsToCome.set(2);
        register("late", "{hosted: {}}");

        eventually(
                "late is Ready",
                () -> condition("late", "Ready").path("status").asString("").equals("True"));
        assertThat(errorsToCome.get()).isNotPositive();
        assertThat(fleet.work()).hasSize(3).allSatisfy(work -> {
            assertThat(work.isAlive()).isTrue();
            assertThat(work.problem()).isEmpty();
        });
    }

    /** Most often the controller has not looked in between. */
    @Test
    void clusterThatIsDeletedAndRegisteredAtOnce_isAnotherOne() {
        ClusterName name = new ClusterName("again");
        register("again", "{hosted: {}}");
        awaitReady("again", "True", "Ready");
        for (int each = 0; each < 5; each++) {
            ClusterEntry before = fleet.lookup(name);
            forgotten.clear();

            root.send(ADMIN, "DELETE", CLUSTERS + "/again", "");
            register("again", "{hosted: {}}");

            eventually("the one before is forgotten", () -> forgotten.contains(name));
            awaitReady("again", "True", "Ready");
            assertThat(fleet.lookup(name)).isNotEqualTo(before);
        }
    }

    @Test
    void rootThatIsNoLongerRegistered_isNotReady() {
        RootCheck check = new RootCheck(() -> fleet.lookup(ClusterName.ROOT) instanceof ClusterEntry.Hosted);
        assertThat(check.failure()).isEmpty();

        root.lose("/clusters/root");

        eventually("the root cluster is not served", () -> check.failure().isPresent());
        assertThat(check.failure().orElseThrow()).contains("root", "restart");
    }

    @Test
    void deletionOfDataThatFails_isFinishedWithoutAnotherChange() {
        register("late", "{hosted: {deletionPolicy: Delete}}");
        eventually(
                "late is Ready",
                () -> condition("late", "Ready").path("status").asString("").equals("True"));
        failuresToCome.set(1);

        root.send(ADMIN, "DELETE", CLUSTERS + "/late", "");

        eventually(
                "the registration and its data are gone",
                () -> root.send(ADMIN, "GET", CLUSTERS + "/late", "").code() == 404
                        && !root.hosted.stored().contains(new ClusterName("late")));
        assertThat(failuresToCome.get()).isNotPositive();
    }

    @Test
    void url_isWhereTheClusterIsReachedThroughFairlead() throws Exception {
        X509Bundle identity = identity();
        HttpsServer server = server(identity, 401);
        register("prod", attached(server.getAddress().getPort(), identity));
        awaitReady("prod", "False", "CredentialRefused");
        HttpServers.stop(server);

        for (String name : List.of("dev", "prod")) {
            assertThat(root.cluster(name).path("status").path("url").asString(""))
                    .isEqualTo("https://localhost:6443/clusters/" + name);
        }
    }

    @Test
    void labels_areThoseOfTheObject_andTheSameMapUntilTheyChange() {
        Map<ClusterName, Map<String, String>> before = fleet.facts().labels();
        assertThat(before).containsEntry(DEV, Map.of());

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{metadata: {labels: {stage: dev}}}");
        eventually(
                "the label is seen",
                () -> Map.of("stage", "dev").equals(fleet.facts().labels().get(DEV)));
        Map<ClusterName, Map<String, String>> after = fleet.facts().labels();
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {displayName: Development}}");
        eventually(
                "the name is seen",
                () -> condition("dev", "Ready").path("observedGeneration").asLong(0) > 1);

        assertThat(fleet.facts().labels()).isSameAs(after);
        delete("dev");
        eventually("they are forgotten", () -> !fleet.facts().labels().containsKey(DEV));
    }

    @Test
    void hosted_deletedWithRetain_isUnservedAndKeptUntilPurged() {
        delete("dev");

        assertThat(fleet.retained()).containsExactly(DEV);
        assertThat(forgotten).containsExactly(DEV);
        assertThat(text(ROOT, "GET", "/fairlead/v1/clusters")).contains("\"Retained\"");
        AdminRequest trial = new AdminRequest(
                ROOT, "DELETE", "/fairlead/v1/clusters/dev/data", Map.of("dryRun", List.of("All")), Map.of());
        assertThatThrownBy(() -> api.serve(trial)).hasMessageContaining("deleted for good");
        assertThat(text(ROOT, "DELETE", "/fairlead/v1/clusters/dev/data")).contains("\"purged\":true");
        assertThat(root.hosted.stored()).doesNotContain(DEV);
    }

    @Test
    void hosted_deletedWithDelete_leavesNoData() {
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {hosted: {deletionPolicy: Delete}}}");

        delete("dev");

        eventually("the data is gone", () -> !root.hosted.stored().contains(DEV));
        eventually("the object is gone", () -> fleet.cluster(DEV).isEmpty());
    }

    @Test
    void hosted_registeredBefore_isOpenedAfterTheStart_firstWhereItIsWaitedFor() throws Exception {
        for (int i = 0; i < 20; i++) {
            String name = "more-" + i;
            register(name, "{hosted: {}}");
            eventually(name + " is open", () -> root.hosted.get(new ClusterName(name)) != null);
        }
        fleet.close();
        root.hosted.stored().stream()
                .filter(name -> !name.equals(ClusterName.ROOT))
                .forEach(root.hosted::close);

        try (Fleet again = new Fleet(
                root.hosted, sync, index, new StatusInbox(), InstantSource.system(), identities(), forgotten::add)) {
            again.register();
            assertThat(again.lookup(new ClusterName("more-9"))).isInstanceOf(ClusterEntry.Opening.class);
            again.start("https://localhost:6443");

            ClusterEntry last = again.lookup(new ClusterName("more-9"));
            if (last instanceof ClusterEntry.Opening opening) {
                assertThat(opening.opens().await(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(again.lookup(new ClusterName("more-9"))).isInstanceOf(ClusterEntry.Hosted.class);
            eventually(
                    "all are open",
                    () -> root.hosted.stored().stream()
                            .allMatch(name -> again.lookup(name) instanceof ClusterEntry.Hosted));
        }
    }

    @Test
    void hosted_thatIsPaused_isFollowedNoMore_andAgainAfterwards() {
        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: true}}");
        eventually("it is not served", () -> fleet.lookup(DEV) instanceof ClusterEntry.Unready);
        eventually("its scope is closed", () -> index.view(DEV).isEmpty());

        root.send(ADMIN, "PATCH", CLUSTERS + "/dev", "{spec: {paused: false}}");

        eventually("it is followed again", () -> index.view(DEV).isPresent());
        awaitReady("dev", "True", "Ready");
    }

    @Test
    void sweep_takesUpWhatTheFleetWasNotToldOf() {
        register("other", "{hosted: {}}");
        awaitReady("other", "True", "Ready"); // What was to be done for dev has been done by then.
        ClusterStatus untold = new ClusterStatus(
                DEV,
                Finding.yes("Served", "it is"),
                Finding.unknown("Untold", "the fleet was not told"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                RewoundRevisions.NONE,
                "",
                0,
                OptionalInt.empty(),
                null,
                List.of());
        inbox.tell(_ -> {});
        inbox.report(untold);
        observeAnew("other");
        assertThat(condition("dev", "TypesSynced").path("reason").asString(""))
                .as("no sweep is due")
                .isNotEqualTo("Untold");

        eventually("dev is looked at again", () -> {
            inbox.report(untold);
            aheadNanos.addAndGet(TimeUnit.SECONDS.toNanos(31));
            observeAnew("other");
            return condition("dev", "TypesSynced").path("reason").asString("").equals("Untold");
        });
    }

    @Test
    void data_ofRegisteredCluster_isNotPurged() {
        assertThat(refusal(ROOT, "DELETE", "/fairlead/v1/clusters/dev/data").code())
                .isEqualTo(409);
        assertThat(root.hosted.stored()).contains(DEV);
    }

    @Test
    void data_ofClusterThatIsJustBeingRegistered_isNotPurged() {
        try (Fleet behind = new Fleet(
                root.hosted, sync, index, new StatusInbox(), InstantSource.system(), identities(), forgotten::add)) {
            assertThat(behind.lookup(DEV)).isInstanceOf(ClusterEntry.NotRegistered.class);

            assertThat(behind.purge(DEV)).isFalse();

            assertThat(root.hosted.stored()).contains(DEV);
        }
    }

    @Test
    void api_withoutAccess_answersTheSameForKnownAndUnknown() {
        for (String rest : List.of("", "/served?", "/index/verify", "/data", "/nothing")) {
            var known = refusal(JANE, "GET", "/fairlead/v1/clusters/dev" + rest);
            var unknown = refusal(JANE, "GET", "/fairlead/v1/clusters/absent" + rest);

            assertThat(known.code()).isEqualTo(403);
            assertThat(known).isEqualTo(unknown);
        }
    }

    @Test
    void api_list_namesOnlyClustersThatTheCallerMayEnter() {
        assertThat(text(ROOT, "GET", "/fairlead/v1/clusters")).contains("\"dev\"", "\"root\"");
        assertThat(text(JANE, "GET", "/fairlead/v1/clusters")).isEqualTo("{\"clusters\":[]}");
        assertThat(text(new Identity.OfCluster(DEV, "voucher", ADMIN), "GET", "/fairlead/v1/clusters"))
                .contains("\"dev\"")
                .doesNotContain("\"root\"");
    }
}
