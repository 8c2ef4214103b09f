package io.fairlead.clustersync;

import static io.fairlead.index.HolderType.CRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.http.FieldName;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.Introduction;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An attached cluster's parts, and what each of them hears of the others. */
class AttachedScopeTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final String VERSION = "/version";
    private static final UpstreamSpec SPEC = spec("https://one:6443", "ca", "name");
    private static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    private final FleetIndex index = FleetIndex.create();
    private final ClusterLedger ledger = index.open(PROD, Set.of(CRD));
    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<ClusterStatus> reports = new ArrayList<>();
    private final StatusBoard board = new StatusBoard(
            ledger,
            Set.of(CRD),
            reports::add,
            InstantSource.system(),
            scheduler,
            Runnable::run,
            Duration.ofMillis(10),
            true);
    private final FakeTypeSource source = new FakeTypeSource();
    private final IndexFeed feed = new IndexFeed(ledger, board, Runnable::run, (_, _) -> {});
    private final Tasks tasks = new Tasks(PROD, scheduler, Runnable::run, new Random(1));
    private final ManualUpstream upstream = new ManualUpstream();
    private final ManualUpstream runtimes = new ManualUpstream();
    private final List<UpstreamSpec> opened = new ArrayList<>();
    private @Nullable Introduction introduction;
    private int closings;
    private final AttachedScope scope = new AttachedScope(
            new AttachedCluster(PROD, SPEC, "t0ken"),
            upstream,
            feed,
            board,
            tasks,
            Duration.ofSeconds(5),
            (spec, introducing) -> {
                opened.add(spec);
                introduction = introducing;
                return runtimes;
            },
            new AtomicLong(),
            "",
            () -> closings++);

    AttachedScopeTest() {
        feed.follow(source);
    }

    @Test
    void scope_isOfItsCluster() {
        assertThat(scope.name()).isEqualTo(PROD);
        assertThat(scope.upstream()).isSameAs(upstream);
        assertThat(scope.bearerToken()).isEqualTo("t0ken");
        assertThat(scope.silentNanos()).isEqualTo(77);
        scope.doubt(CRD);
        assertThat(source.calls).containsExactly("doubt CRD");
    }

    @Test
    void verify_asksTheCluster() {
        know();
        source.ask = () -> Optional.of(List.of());

        assertThat(scope.verify())
                .hasValueSatisfying(audit -> assertThat(audit.surplus()).isNotEmpty());
    }

    @Test
    void probe_ofAClusterThatAnswers_isReported_andItsTypesAreLookedFor() {
        scope.probe();

        assertThat(upstream.calls(VERSION))
                .singleElement()
                .satisfies(call -> assertThat(call.head().fields().get(FieldName.AUTHORIZATION))
                        .isEqualTo("Bearer t0ken"));
        answerVersion();
        assertThat(source.calls).containsExactly("hurry");
        assertThat(reported().reachable().reason()).isEqualTo("Reachable");
        assertThat(reported().version()).isEqualTo("v1.36.3");
    }

    @Test
    void probe_ofAClusterThatDoesNot_isReportedAlone() {
        scope.probe();

        upstream.calls(VERSION).getLast().fail(RESET);

        assertThat(source.calls).isEmpty();
        assertThat(reported().reachable().reason()).isEqualTo("ConnectionReset");
    }

    @Test
    void clusterThatIsAway_isProbedOnce_untilItHasAnswered() {
        scope.look();
        scope.look();
        assertThat(upstream.calls(VERSION)).hasSize(1);

        upstream.calls(VERSION).getLast().fail(RESET);
        scope.look();
        assertThat(upstream.calls(VERSION)).hasSize(2);
    }

    @Test
    void clusterThatIsThere_isNotLookedFor() {
        source.isAway = false;

        scope.look();

        assertThat(source.calls).containsExactly("look");
        assertThat(upstream.calls()).isEmpty();
    }

    @Test
    void otherCredentials_areUsedAtOnce_andWhatIsKnownStaysKnown() {
        know();
        CrdRuntimeScope runtime = scope.openCrdRuntime(spec("https://runtime", null, null));
        int before = upstream.calls(VERSION).size();

        UpstreamSpec same = spec("https://one:6443", "ca", "name");
        scope.reconfigure(new AttachedCluster(PROD, same, "an0ther"));

        assertThat(upstream.specs()).containsExactly(same);
        assertThat(scope.bearerToken()).isEqualTo("an0ther");
        assertThat(upstream.calls(VERSION)).hasSize(before + 1);
        assertThat(upstream.calls(VERSION).getLast().head().fields().get(FieldName.AUTHORIZATION))
                .isEqualTo("Bearer an0ther");
        assertThat(source.calls).containsExactly("restart");
        assertThat(ledger.view().sync()).isEqualTo(Sync.SYNCED);
        assertThat(runtimes.specs()).as("the CRD runtime needs no proof").isEmpty();
        runtime.close();
    }

    @Test
    void otherServer_isUnknown_andTheCrdRuntimeProvesItselfAnew() {
        know();
        UpstreamSpec ofRuntime = spec("https://runtime", null, null);
        CrdRuntimeScope runtime = scope.openCrdRuntime(ofRuntime);

        scope.reconfigure(new AttachedCluster(PROD, spec("https://two:6443", "ca", "name"), null));

        assertThat(ledger.view().sync()).isEqualTo(Sync.UNSYNCED);
        assertThat(reported().typesSynced().reason()).isEqualTo("Listing");
        assertThat(runtimes.specs()).containsExactly(ofRuntime);
        assertThat(source.calls).containsExactly("forget", "restart");
        assertThat(scope.bearerToken()).isNull();

        scope.reconfigure(new AttachedCluster(PROD, SPEC, null));
        assertThat(runtimes.specs()).as("it is compared with the last one").hasSize(2);
        runtime.close();
    }

    @Test
    void server_isAnother_unlessAllButTheCredentialsIsTheSame() {
        assertThat(AttachedScope.isSameServer(
                        SPEC,
                        new UpstreamSpec(List.of(URI.create("https://one:6443")), "ca", "name", "cert", "key", "t")))
                .isTrue();
        assertThat(AttachedScope.isSameServer(SPEC, spec("https://one:6444", "ca", "name")))
                .isFalse();
        assertThat(AttachedScope.isSameServer(SPEC, spec("https://one:6443", "cb", "name")))
                .isFalse();
        assertThat(AttachedScope.isSameServer(SPEC, spec("https://one:6443", null, "name")))
                .isFalse();
        assertThat(AttachedScope.isSameServer(SPEC, spec("https://one:6443", "ca", "eman")))
                .isFalse();
    }

    @Test
    void crdRuntime_isIntroducedByTheClustersIdentity_andProbedWithTheCluster() {
        UpstreamSpec ofRuntime = spec("https://runtime", null, null);

        CrdRuntimeScope runtime = scope.openCrdRuntime(ofRuntime);

        assertThat(opened).containsExactly(ofRuntime);
        assertThat(runtime.upstream()).isSameAs(runtimes);
        assertThat(introduction).isInstanceOf(ClusterIdentity.class);
        assertThat(reported().crdRuntimeReachable()).map(Finding::reason).contains("Pending");
        answerIdentities();
        assertThat(reported().crdRuntimeReachable()).map(Finding::reason).contains("Reachable");
        assertThat(upstream.calls(ClusterIdentity.PATH))
                .singleElement()
                .satisfies(call -> assertThat(call.head().fields().get(FieldName.AUTHORIZATION))
                        .isEqualTo("Bearer t0ken"));

        scope.probe();
        assertThat(askedForRuntimes()).isEqualTo(2);
        answerIdentities();
        runtime.close();
        assertThat(runtimes.isClosed()).isTrue();
        scope.probe();
        assertThat(askedForRuntimes()).as("it is named no more").isEqualTo(2);
        assertThat(reported().crdRuntimeReachable()).isEmpty();
    }

    @Test
    void runtimeThatIsClosedAfterAnotherWasOpened_leavesThatAlone() {
        CrdRuntimeScope first = scope.openCrdRuntime(spec("https://runtime", null, null));
        answerIdentities();
        scope.openCrdRuntime(spec("https://other", null, null));
        answerIdentities();

        first.close();
        scope.probe();

        assertThat(askedForRuntimes()).isEqualTo(3);
    }

    @Test
    void identityInDoubt_isAskedForAgain_andTheCrdRuntimeProvesItselfAnew() {
        scope.doubtIdentity();
        assertThat(upstream.calls()).as("nothing needs it").isEmpty();
        scope.openCrdRuntime(spec("https://runtime", null, null));
        answerIdentities();

        scope.doubtIdentity();

        assertThat(runtimes.specs()).hasSize(1);
        assertThat(askedForRuntimes()).isEqualTo(2);
    }

    @Test
    void identityThatWasSaidBeforeADoubt_countsForNothing() {
        scope.openCrdRuntime(spec("https://runtime", null, null));
        ManualUpstream.Call before = upstream.calls(ClusterIdentity.PATH).getLast();

        scope.doubtIdentity();
        before.answer(200, "{\"metadata\":{\"uid\":\"uid-a\"}}");

        assertThat(askedForRuntimes()).isEqualTo(2);
    }

    /** A check of the cluster's own identity asks for its keys as well. */
    private int askedForRuntimes() {
        return upstream.calls(ClusterIdentity.PATH).size()
                - upstream.calls(IdentityProbe.KEYS_PATH).size();
    }

    @Test
    void close_endsEverything_andReportsNothingMore() {
        scope.openCrdRuntime(spec("https://runtime", null, null));
        reported();
        scope.probe();
        int before = reports.size();

        scope.close();

        assertThat(source.calls).containsExactly("close");
        assertThat(index.view(PROD)).isEmpty();
        assertThat(runtimes.isClosed()).isTrue();
        assertThat(upstream.isClosed()).isTrue();
        assertThat(closings).isEqualTo(1);
        answerVersion();
        assertThat(source.calls).as("an answer that comes now").containsExactly("close");
        board.probed(new VersionProbe.Answer(Finding.yes("Reachable", "late"), "v2"));
        scheduler.pass(Duration.ofSeconds(1));
        assertThat(reports).hasSize(before);
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void close_withoutACrdRuntime_isAClose() {
        scope.close();

        assertThat(closings).isEqualTo(1);
        assertThat(runtimes.isClosed()).isFalse();
    }

    private void answerVersion() {
        upstream.calls(VERSION).getLast().answer(200, "{\"gitVersion\":\"v1.36.3\"}");
    }

    private void answerIdentities() {
        String namespace = "{\"metadata\":{\"uid\":\"uid-a\"}}";
        upstream.calls(ClusterIdentity.PATH).getLast().answer(200, namespace);
        runtimes.calls(ClusterIdentity.PATH).getLast().answer(200, namespace);
    }

    private void know() {
        Contribution foos = Contribution.of(new GroupVersion("example.com", "v1"), Set.of("foos"));
        feed.accept(
                new TypeChange.Complete(Set.of(CRD), List.of(new Holder(CRD, "foos", "u1", "5", List.of(foos))), "5"));
        assertThat(ledger.view().sync()).isEqualTo(Sync.SYNCED);
    }

    private ClusterStatus reported() {
        scheduler.pass(Duration.ofMillis(10));
        return reports.getLast();
    }

    private static UpstreamSpec spec(String url, @Nullable String ca, @Nullable String serverName) {
        return new UpstreamSpec(List.of(URI.create(url)), ca, serverName, null, null);
    }
}
