package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.aggregated;
import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.condition;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.index.Answer;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Lookup;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import io.fairlead.net.AddressPolicy;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.Transport;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.netty.channel.EventLoopGroup;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A cluster's index over informers, against an API server that behaves, and that does not. */
final class AttachedClusterTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final String REVISIONS = "/apis/pkg.crossplane.io/v1/providerrevisions/";
    private static final SyncSettings QUICK = new SyncSettings(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(800),
            Duration.ofMillis(400),
            Duration.ofSeconds(5),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            3,
            Duration.ofMillis(5));

    /** Finds by its watches alone that a server is back. */
    private static final SyncSettings UNPROBED = new SyncSettings(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofMillis(400),
            Duration.ofSeconds(2),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            3,
            Duration.ofMillis(5));

    private static final SyncSettings PATIENT = new SyncSettings(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            3,
            Duration.ofMillis(5));

    private final List<AutoCloseable> closing = new ArrayList<>();
    private final FleetIndex index = FleetIndex.create();
    private final ConcurrentLinkedDeque<ClusterStatus> reports = new ConcurrentLinkedDeque<>();
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "sync-test");
    private final UpstreamClient upstreams = opened(new UpstreamClient(
            loops,
            Transport.preferred(),
            new AddressPolicy(List.of(), List.of(), true, List::of),
            UpstreamLimits.defaults()));
    private final ClusterSync sync = opened(sync(QUICK));

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : closing.reversed()) {
            one.close();
        }
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void lookup_afterTheList_knowsWhatIsServed(String protocol) {
        FakeApiServer server = server(protocol);
        IntStream.range(0, 10)
                .forEach(i -> server.put(CRDS, "t" + i + ".example.com", crd("t" + i, "example.com", "v1")));
        server.put(CRDS, "new.example.com", notEstablished());
        server.put(API_SERVICES, "v1.", builtIn("", "v1"));
        server.put(API_SERVICES, "v1beta1.metrics.k8s.io", aggregated("metrics.k8s.io", "v1beta1"));
        attach(server, null);

        eventually(() -> sync() == Sync.SYNCED);

        assertThat(lookup("example.com", "v1", "t7")).isEqualTo(Answer.SERVED);
        assertThat(lookup("example.com", "v1", "new")).isEqualTo(Answer.ABSENT);
        assertThat(lookup("", "v1", "")).isEqualTo(Answer.SERVED);
        assertThat(lookup("", "v1", "pods")).isEqualTo(Answer.UNKNOWN);
        assertThat(lookup("metrics.k8s.io", "v1beta1", "anything")).isEqualTo(Answer.SERVED);
        assertThat(lookup("other.io", "v1", "")).isEqualTo(Answer.ABSENT);
        assertThat(server.requests()).noneMatch(request -> request.contains("resourceVersion=0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void watch_isFollowed(String protocol) {
        FakeApiServer server = server(protocol);
        attach(server, null);
        eventually(() -> server.watcherCount() == 2);

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        eventually(() -> holders("example.com", "v1") == 2);
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v2"));
        eventually(() -> holders("example.com", "v1") == 1);
        server.delete(CRDS, "bars.example.com");
        eventually(() -> lookup("example.com", "v1", "") == Answer.ABSENT);

        assertThat(holders("example.com", "v2")).isEqualTo(1);
        index.assertConsistent();
    }

    @Test
    void definition_isDigestedAsItGoesBy() {
        ObjectNode crd = crd("foos", "example.com", "v1");
        ((ObjectNode) crd.path("spec").path("versions").get(0))
                .putObject("schema")
                .putObject("openAPIV3Schema")
                .put("type", "object")
                .put("maxProperties", new BigInteger("123456789012345678901234567890"))
                .put("minProperties", new BigDecimal("1.50"));
        DefinitionDigests expected = DefinitionDigests.ofSpec(
                Json.readExact(Json.write(crd.path("spec"))).root());
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd);
        attach(server, null);
        eventually(() -> sync() == Sync.SYNCED);

        DefinedType type = defined("foos.example.com");
        assertThat(type).isNotNull();
        assertThat(type.api()).isEqualTo(expected.api());
        assertThat(type.full()).isEqualTo(expected.full());
        assertThat(index.types().canonical(type.api())).contains(expected.type().bytes());
    }

    @Test
    void definitionThatDrifts_isAnotherType_andOneThatSaysNothingIsNone() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        attach(server, null);
        eventually(() -> sync() == Sync.SYNCED);
        TypeDigest before = api("foos.example.com");

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        eventually(() -> !Objects.equals(before, api("foos.example.com")));
        assertThat(index.types().distinct()).isEqualTo(2);
        ObjectNode nameless = crd("foos", "example.com", "v1");
        nameless.withObject("spec").withObject("names").remove("kind");
        server.put(CRDS, "foos.example.com", nameless);

        eventually(() -> api("foos.example.com") == null);
        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        index.assertConsistent();
    }

    @Test
    void terminatingCrd_keepsContributing() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", condition(crd("foos", "example.com", "v1"), "Terminating", "True"));
        attach(server, null);

        eventually(() -> sync() == Sync.SYNCED);

        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
    }

    @Test
    void lastCrdGoneInAWatchGap_leavesWithTheRelist() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        server.put(CRDS, "bars.example.com", crd("bars", "example.com", "v1"));
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);

        server.gap(() -> {
            server.delete(CRDS, "foos.example.com");
            server.delete(CRDS, "bars.example.com");
        });

        eventually(() -> lookup("example.com", "v1", "") == Answer.ABSENT);
        assertThat(sync()).isEqualTo(Sync.SYNCED);
        index.assertConsistent();
    }

    @Test
    void crdRemadeInAWatchGap_hasItsNewUid() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);

        ObjectNode remade = crd("foos", "example.com", "v2");
        remade.withObject("metadata").put("uid", "second");
        server.gap(() -> server.put(CRDS, "foos.example.com", remade));

        eventually(() -> lookup("example.com", "v2", "foos") == Answer.SERVED);
        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void watchesThatEnd_areTakenUpAgain() {
        FakeApiServer server = server("h2");
        attach(server, null);
        for (int i = 0; i < 5; i++) {
            eventually(() -> server.watcherCount() == 2);
            server.endWatches();
            String name = "t" + i;
            server.put(CRDS, name + ".example.com", crd(name, "example.com", "v1"));
            eventually(() -> lookup("example.com", "v1", name) == Answer.SERVED);
        }
        index.assertConsistent();
    }

    @Test
    void serverThatFlaps_isFoundAgain() {
        FakeApiServer server = server("h2");
        attach(server, null);
        for (int i = 0; i < 4; i++) {
            eventually(() -> server.watcherCount() == 2);
            server.down();
            String name = "t" + i;
            server.put(CRDS, name + ".example.com", crd(name, "example.com", "v1"));
            server.listen();
            eventually(() -> lookup("example.com", "v1", name) == Answer.SERVED);
        }
        eventually(() -> sync() == Sync.SYNCED);
        index.assertConsistent();
    }

    @Test
    void listThatNeverEnds_leavesEverythingUnknown() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        server.neverAnswerLists(true);
        attach(server, null);

        eventually(() -> server.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.UNKNOWN);
        assertThat(lookup("example.com", "v1", "nothing")).isEqualTo(Answer.UNKNOWN);
        eventually(() -> reachable().equals("Reachable"));
        assertThat(last().typesSynced().status()).isEqualTo(Finding.Status.UNKNOWN);

        server.neverAnswerLists(false);
        eventually(() -> sync() == Sync.SYNCED);
    }

    @Test
    void serverThatStaysAway_makesTheIndexLost_neverAbsent() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);

        server.down();

        eventually(() -> sync() == Sync.LOST);
        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        assertThat(lookup("example.com", "v1", "nothing")).isEqualTo(Answer.UNKNOWN);
        eventually(() -> reachable().equals("ConnectionFailed"));
        eventually(() -> last().typesSynced().reason().equals("WatchLost"));

        server.listen();
        eventually(() -> sync() == Sync.SYNCED);
        assertThat(lookup("example.com", "v1", "nothing")).isEqualTo(Answer.ABSENT);
        eventually(() -> last().typesSynced().reason().equals("Synced"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void silence_countsFromTheLastWord_untilTheWatchStandsAgain(String protocol) {
        FakeApiServer server = server(protocol);
        assertThat(sync.silentNanos(PROD)).as("not followed").isEqualTo(Long.MAX_VALUE);
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync.silentNanos(PROD) == 0);

        server.down();

        eventually(() -> sync.silentNanos(PROD) > TimeUnit.MILLISECONDS.toNanos(300));
        server.listen();
        eventually(() -> sync.silentNanos(PROD) == 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void silence_afterALapse_isOverWithTheNextCompleteList(boolean historyForgotten) {
        FakeApiServer server = server("h2");
        try (ClusterSync unprobed = sync(UNPROBED)) {
            unprobed.attach(new AttachedCluster(PROD, spec(server.url()), null));
            eventually(() -> server.watcherCount() == 2 && unprobed.silentNanos(PROD) == 0);
            server.down();
            long lapse = TimeUnit.SECONDS.toNanos(2);
            eventually(() -> sync() == Sync.LOST && unprobed.silentNanos(PROD) > lapse);

            server.neverAnswerLists(true);
            if (historyForgotten) {
                server.gap(() -> server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1")));
            }
            int before = server.requests().size();
            server.listen();

            eventually(() -> server.requests().stream()
                    .skip(before)
                    .anyMatch(request -> request.contains(CRDS) && request.contains("watch=true")));
            eventually(() -> server.requests().stream()
                    .skip(before)
                    .anyMatch(request -> request.contains(CRDS) && !request.contains("watch=true")));
            assertThat(unprobed.silentNanos(PROD)).isGreaterThan(lapse);
            server.neverAnswerLists(false);
            eventually(() -> unprobed.silentNanos(PROD) == 0);
        }
    }

    @Test
    void silence_beforeTheFirstList_isForEver() {
        FakeApiServer server = server("h2");
        server.neverAnswerLists(true);
        attach(server, null);

        eventually(() -> server.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(sync.silentNanos(PROD)).isEqualTo(Long.MAX_VALUE);

        server.neverAnswerLists(false);
        eventually(() -> sync.silentNanos(PROD) == 0);
    }

    @Test
    void silence_ofAPIServices_doesNotMatter() {
        FakeApiServer server = server("h2");
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync.silentNanos(PROD) == 0);

        server.refuseWatches(API_SERVICES);
        server.endWatches();

        eventually(() -> server.watcherCount() == 1 && sync() == Sync.LOST);
        eventually(() -> sync.silentNanos(PROD) == 0);
    }

    @Test
    void implementation_isTheAnnotation_andChangesWithIt() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", annotated("sha256:one"));
        attach(server, null);
        eventually(() -> implementation().equals("sha256:one"));

        server.put(CRDS, "foos.example.com", annotated("sha256:two"));
        eventually(() -> implementation().equals("sha256:two"));

        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        eventually(() -> implementation().isEmpty());
    }

    @Test
    void implementation_isTheImageOfTheRevisionThatControlsTheCrd_readOnce() {
        FakeApiServer server = server("h2");
        String digest = "sha256:" + "ab".repeat(32);
        server.document(
                REVISIONS + "p-1",
                "{\"metadata\":{\"uid\":\"r1\"},\"spec\":{\"image\":\"registry.example/p@" + digest + "\"}}");
        server.put(CRDS, "foos.example.com", owned("foos", "p-1", "r1"));
        server.put(CRDS, "bars.example.com", owned("bars", "p-1", "r1"));
        attach(server, null);

        eventually(() -> implementation().equals(digest)
                && implementation("bars.example.com").equals(digest));

        server.put(CRDS, "bazs.example.com", owned("bazs", "p-1", "r1"));
        eventually(() -> implementation("bazs.example.com").equals(digest));
        assertThat(server.requests())
                .filteredOn(request -> request.contains("/p-1"))
                .hasSize(1);
        eventually(() -> sync() == Sync.SYNCED);
        index.assertConsistent();
    }

    @Test
    void implementation_ofARevisionThatIsAnotherOrHasNoDigest_isNotRecorded() {
        FakeApiServer server = server("h2");
        server.document(REVISIONS + "other", "{\"metadata\":{\"uid\":\"r9\"},\"spec\":{\"image\":\"p@sha256:00\"}}");
        server.document(REVISIONS + "tagged", "{\"metadata\":{\"uid\":\"r2\"},\"spec\":{\"image\":\"p:v1\"}}");
        server.put(CRDS, "foos.example.com", owned("foos", "other", "r1"));
        server.put(CRDS, "bars.example.com", owned("bars", "tagged", "r2"));
        server.put(CRDS, "bazs.example.com", owned("bazs", "../../../version", "r3"));
        server.put(CRDS, "quxs.example.com", owned("quxs", "absent", "r4"));
        attach(server, null);

        eventually(() -> sync() == Sync.SYNCED
                && Stream.of("other", "tagged", "absent")
                        .allMatch(name ->
                                server.requests().stream().anyMatch(request -> request.endsWith(REVISIONS + name))));

        assertThat(Stream.of("foos", "bars", "bazs", "quxs").map(plural -> implementation(plural + ".example.com")))
                .containsOnly("");
        assertThat(server.requests()).noneMatch(request -> request.contains(".."));
    }

    @Test
    void historyThatWasRewound_beginsANewEpoch() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);

        server.down();
        server.rewind(10);
        server.delete(CRDS, "foos.example.com");
        server.put(CRDS, "olds.example.com", crd("olds", "example.com", "v1"));
        server.listen();

        eventually(() -> lookup("example.com", "v1", "foos") == Answer.ABSENT
                && lookup("example.com", "v1", "olds") == Answer.SERVED);
        assertThat(index.view(PROD).orElseThrow().evidence().epoch()).isGreaterThan(1);
        index.assertConsistent();
    }

    @Test
    void malformedCrds_leaveTheOthersIndexed() {
        FakeApiServer server = server("h2");
        ObjectNode withoutGroup = crd("nogroups", "", "v1");
        withoutGroup.withObject("spec").remove("group");
        server.put(CRDS, "nogroups.example.com", withoutGroup);
        server.put(
                CRDS,
                "many.example.com",
                crd(
                        "many",
                        "example.com",
                        IntStream.range(0, 10_000).mapToObj(i -> "v" + i).toArray(String[]::new)));
        ObjectNode large = crd("larges", "large.io", "v1");
        large.withObject("spec").put("filler", "x".repeat(2 << 20));
        server.put(CRDS, "larges.large.io", large);
        ObjectNode empty = crd("x", "x", "v1");
        empty.remove("spec");
        empty.remove("status");
        server.put(CRDS, "empty", empty);
        server.put(CRDS, "oddversions.odd.io", crd("oddversions", "odd.io", "", "a/b", "v1"));
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        attach(server, null);

        eventually(() -> sync() == Sync.SYNCED);

        assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
        assertThat(lookup("large.io", "v1", "larges")).isEqualTo(Answer.SERVED);
        assertThat(lookup("odd.io", "v1", "oddversions")).isEqualTo(Answer.SERVED);
        assertThat(lookup("example.com", "v1", "many")).isEqualTo(Answer.ABSENT);
        assertThat(lookup("", "v1", "nogroups")).isEqualTo(Answer.ABSENT);
        server.put(CRDS, "many.example.com", crd("many", "example.com", "v1"));
        eventually(() -> lookup("example.com", "v1", "many") == Answer.SERVED);
        index.assertConsistent();
    }

    @Test
    void refusedCredential_isReported_andARotatedOneIsUsed() {
        FakeApiServer server = server("h2");
        server.requireToken("canary-2");
        AttachedScope scope = attach(server, "canary-1");
        eventually(() -> reachable().equals("CredentialRefused"));
        eventually(() -> last().typesSynced().reason().equals("CredentialRefused"));
        assertThat(reports.toString()).doesNotContain("canary");

        scope.reconfigure(new AttachedCluster(PROD, spec(server.url()), "canary-2"));

        eventually(() -> sync() == Sync.SYNCED);
        eventually(() -> reachable().equals("Reachable") && last().version().equals("v1.36.3"));
        eventually(() -> last().lastSyncTime() != null);
    }

    @Test
    void otherServer_isUnknownUntilItIsListed() {
        FakeApiServer old = server("h2");
        old.put(CRDS, "olds.example.com", crd("olds", "example.com", "v1"));
        old.put(CRDS, "older.example.com", crd("older", "example.com", "v1"));
        AttachedScope scope = attach(old, null);
        eventually(() -> sync() == Sync.SYNCED);
        FakeApiServer other = server("h2");
        other.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        other.neverAnswerLists(true);

        scope.reconfigure(new AttachedCluster(PROD, spec(other.url()), null));

        assertThat(sync()).isEqualTo(Sync.UNSYNCED);
        eventually(() -> other.requests().stream().anyMatch(request -> request.contains(CRDS)));
        assertThat(sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(lookup("example.com", "v1", "olds")).isEqualTo(Answer.UNKNOWN);
        other.neverAnswerLists(false);
        eventually(() -> sync() == Sync.SYNCED && lookup("example.com", "v1", "foos") == Answer.SERVED);
        assertThat(lookup("example.com", "v1", "olds")).isEqualTo(Answer.ABSENT);
    }

    @Test
    void sameServerWithAnotherToken_staysKnown() {
        FakeApiServer server = server("h2");
        AttachedScope scope = attach(server, "canary-1");
        eventually(() -> sync() == Sync.SYNCED);
        server.neverAnswerLists(true);

        scope.reconfigure(new AttachedCluster(PROD, spec(server.url()), "canary-2"));

        assertThat(sync()).isNotEqualTo(Sync.UNSYNCED);
    }

    @Test
    void forbiddenCredential_isReported() {
        FakeApiServer server = server("h2");
        server.refuseWith(403);
        attach(server, "any");

        eventually(() -> reachable().equals("CredentialForbidden"));
        assertThat(sync()).isEqualTo(Sync.UNSYNCED);
    }

    @Test
    void serverThatIsNoKubernetes_isReported() {
        FakeApiServer server = server("http/1.1");
        server.version("<html>It works!</html>");
        attach(server, null);

        eventually(() -> reachable().equals("NotKubernetes"));
    }

    @Test
    void slowServer_isReported() {
        FakeApiServer server = server("h2");
        server.neverAnswer(true);
        attach(server, null);

        eventually(() -> reachable().equals("Timeout"));
        server.neverAnswer(false);
        eventually(() -> reachable().equals("Reachable"));
    }

    /** No time limit can be what helps the others: the broken one may take its time. */
    @Test
    void serverThatNeverAnswers_doesNotDelayTheOthers() {
        FakeApiServer mute = server("h2");
        mute.neverAnswer(true);
        try (ClusterSync patient = sync(PATIENT)) {
            for (int i = 0; i < 3; i++) {
                patient.attach(new AttachedCluster(new ClusterName("mute" + i), spec(mute.url()), null));
            }
            FakeApiServer healthy = server("h2");
            healthy.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
            patient.attach(new AttachedCluster(PROD, spec(healthy.url()), null));

            eventually(() -> sync() == Sync.SYNCED);

            assertThat(lookup("example.com", "v1", "foos")).isEqualTo(Answer.SERVED);
            assertThat(mute.requests()).isNotEmpty();
            assertThat(index.view(new ClusterName("mute0")).orElseThrow().sync())
                    .isEqualTo(Sync.UNSYNCED);
        }
    }

    @Test
    void counts_areReported() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1", "v2"));
        attach(server, null);
        eventually(() -> !reports.isEmpty()
                && last().groupVersions() == 2
                && last().resources().equals(OptionalInt.of(1)));

        server.put(API_SERVICES, "v1.", builtIn("", "v1"));

        eventually(() -> last().groupVersions() == 3 && last().resources().isEmpty());
    }

    @Test
    void audit_findsNothing() {
        FakeApiServer server = server("h2");
        IntStream.range(0, 20)
                .forEach(i -> server.put(CRDS, "t" + i + ".example.com", crd("t" + i, "example.com", "v1")));
        AttachedScope scope = attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);
        IntStream.range(0, 10).forEach(i -> server.delete(CRDS, "t" + i + ".example.com"));
        eventually(() -> holders("example.com", "v1") == 10);

        assertThat(scope.verify())
                .hasValueSatisfying(audit -> assertThat(audit.isClean()).isTrue());
    }

    @Test
    void closedScope_leavesNothingBehind() {
        FakeApiServer server = server("h2");
        server.put(CRDS, "foos.example.com", crd("foos", "example.com", "v1"));
        AttachedScope scope = attach(server, null);
        eventually(() -> server.watcherCount() == 2 && sync() == Sync.SYNCED);

        scope.close();

        eventually(() -> server.connectionCount() == 0);
        assertThat(index.view(PROD)).isEmpty();
        assertThat(index.claimCount()).isZero();
        int requests = server.requests().size();
        int reported = reports.size();
        AttachedScope again = attach(server, null);
        eventually(() -> sync() == Sync.SYNCED);
        assertThat(again.name()).isEqualTo(PROD);
        assertThat(server.requests().subList(requests, server.requests().size()))
                .allMatch(request -> request.contains("/version") || request.contains("apis"));
        assertThat(reports.size()).isGreaterThanOrEqualTo(reported);
    }

    @Test
    void twoScopesOfOneName_areRefused() {
        FakeApiServer server = server("h2");
        attach(server, null);

        assertThatThrownBy(() -> attach(server, null)).isInstanceOf(IllegalStateException.class);
    }

    private ClusterSync sync(SyncSettings settings) {
        return new ClusterSync(
                index,
                upstreams,
                name -> ConnectionMetrics.NONE,
                settings,
                reports::add,
                InstantSource.system(),
                new Random(1));
    }

    private static ObjectNode notEstablished() {
        ObjectNode crd = crd("new", "example.com", "v1");
        crd.remove("status");
        return crd;
    }

    private FakeApiServer server(String protocol) {
        return opened(new FakeApiServer(protocol));
    }

    private AttachedScope attach(FakeApiServer server, @Nullable String token) {
        return sync.attach(new AttachedCluster(PROD, spec(server.url()), token));
    }

    private static UpstreamSpec spec(URI url) {
        return new UpstreamSpec(List.of(url), FakeApiServer.caPem(), null, null, null);
    }

    private <T extends AutoCloseable> T opened(T one) {
        closing.add(one);
        return one;
    }

    private Answer lookup(String group, String version, String resource) {
        return index.lookup(PROD, group, version, resource);
    }

    private int holders(String group, String version) {
        return index.explain(PROD, group, version, "") instanceof Lookup.Served served
                ? served.holders().size()
                : 0;
    }

    private @Nullable DefinedType defined(String crd) {
        return index.view(PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::defines)
                .orElse(null);
    }

    private @Nullable TypeDigest api(String crd) {
        DefinedType type = defined(crd);
        return type == null ? null : type.api();
    }

    private Sync sync() {
        return index.view(PROD).orElseThrow().sync();
    }

    private String implementation() {
        return implementation("foos.example.com");
    }

    private String implementation(String crd) {
        return index.view(PROD)
                .flatMap(view -> view.holder(HolderType.CRD, crd))
                .map(Holder::implementation)
                .orElse("nothing");
    }

    private static ObjectNode annotated(String implementation) {
        ObjectNode crd = crd("foos", "example.com", "v1");
        crd.withObject("metadata").putObject("annotations").put(TypeSource.IMPLEMENTATION, implementation);
        return crd;
    }

    private static ObjectNode owned(String plural, String revision, String uid) {
        ObjectNode crd = crd(plural, "example.com", "v1");
        crd.withObject("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "pkg.crossplane.io/v1")
                .put("kind", "ProviderRevision")
                .put("name", revision)
                .put("uid", uid)
                .put("controller", true);
        return crd;
    }

    private ClusterStatus last() {
        return reports.getLast();
    }

    private String reachable() {
        return reports.isEmpty() ? "" : last().reachable().reason();
    }

    private static void eventually(BooleanSupplier fact) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!fact.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for 30 s").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
