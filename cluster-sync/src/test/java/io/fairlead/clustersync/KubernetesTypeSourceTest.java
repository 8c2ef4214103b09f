package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.aggregated;
import static io.fairlead.clustersync.Crds.builtIn;
import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.fabric8.KubernetesTypeSources;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Both informers of a cluster, over a server whose answers the test writes, on its own clock and thread. */
class KubernetesTypeSourceTest {
    private static final String REVISION = "/apis/pkg.crossplane.io/v1/providerrevisions/p-1";
    private static final Set<HolderType> SERVICES = Set.of(HolderType.BUILT_IN, HolderType.API_SERVICE);
    private static final Duration LOST_AFTER = Duration.ofSeconds(30);
    private static final Duration QUIET = Duration.ofSeconds(80);
    private static final Duration TOO_QUIET = Duration.ofSeconds(95);
    private static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    /** Nothing is tried again by itself. */
    private static final SyncSettings SETTINGS = new SyncSettings(
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1),
            LOST_AFTER,
            Duration.ofMinutes(5),
            Duration.ofHours(1),
            Duration.ofHours(1),
            3,
            4,
            Duration.ofMillis(1),
            AnswerLimits.ofHeap(1 << 30, 4));

    private final ManualUpstream upstream = new ManualUpstream();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<TypeChange> told = new ArrayList<>();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holding;

    @Test
    void open_listsAllKindsAtOnce_andTellsEachOnceItIsComplete() {
        TypeSource.Feed feed = open();

        assertThat(upstream.calls()).hasSize(2).allSatisfy(call -> {
            assertThat(call.kind()).isEqualTo(Upstream.Kind.SHORT);
            assertThat(call.head().target()).contains("limit=3");
            assertThat(call.head().headers().get("Authorization")).isEqualTo("Bearer t0ken");
        });
        assertThat(feed.recount()).isEmpty();
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);

        last(CRDS).answer(200, list("10", "", foos()));
        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Complete.class, complete -> {
            assertThat(complete.types()).containsExactly(HolderType.CRD);
            assertThat(complete.resourceVersion()).isEqualTo("10");
            assertThat(complete.holders()).extracting(Holder::name).containsExactly("foos.example.com");
        });
        assertThat(feed.recount()).as("one of two").isEmpty();
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);

        last(API_SERVICES).answer(200, list("11", "", apps(), metrics()));
        assertThat(told)
                .hasSize(2)
                .last()
                .isInstanceOfSatisfying(
                        TypeChange.Complete.class,
                        complete -> assertThat(complete.types()).isEqualTo(SERVICES));
        assertThat(names(feed.recount())).containsExactly("foos.example.com", "v1.apps", "v1.metrics");
    }

    @Test
    void types_areKnownToBeHeard_onceBothWatchesStand() {
        TypeSource.Feed feed = open();
        last(CRDS).answer(200, list("10", "", foos()));
        last(API_SERVICES).answer(200, list("11", "", apps()));
        assertThat(feed.silentNanos()).isBetween(1L, Long.MAX_VALUE - 1);

        last(CRDS).begin(200);
        assertThat(feed.silentNanos()).as("one of two").isPositive();
        last(API_SERVICES).begin(200);

        assertThat(feed.silentNanos()).isZero();
        assertThat(scheduler.dueCount()).as("nothing is waited for").isZero();
        assertThat(last(CRDS).kind()).isEqualTo(Upstream.Kind.LONG_RUNNING);
        assertThat(last(CRDS).head().target()).contains("watch=true", "resourceVersion=10");
        assertThat(feed.look()).as("whether the cluster is away").isFalse();
    }

    @Test
    void changes_areToldAsTheWatchTellsThem() {
        followed();

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("12")));
        last(API_SERVICES).say(event("DELETED", "apiregistration.k8s.io/v1", "APIService", apps()));

        assertThat(told).hasSize(2);
        assertThat(told.getFirst())
                .isInstanceOfSatisfying(
                        TypeChange.Upserted.class,
                        upserted ->
                                assertThat(upserted.holder().resourceVersion()).isEqualTo("12"));
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        TypeChange.Deleted.class,
                        deleted -> assertThat(deleted.name()).isEqualTo("v1.apps"));
    }

    @Test
    void watchThatEnds_isNotHeardAnyMore_andLostAfterAWhile() {
        TypeSource.Feed feed = followed();

        last(CRDS).finish();

        assertThat(feed.silentNanos()).isBetween(1L, Long.MAX_VALUE - 1);
        scheduler.pass(LOST_AFTER);
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Lost.class, lost -> assertThat(lost.types()).containsExactly(HolderType.CRD));
    }

    @Test
    void watchThatBreaks_leavesWhatIsKnownInDoubt() {
        TypeSource.Feed feed = followed();

        last(API_SERVICES).fail(RESET);

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void wordAfterTooLongASilence_hasItsKindListedAnew() {
        followed();
        scheduler.pass(TOO_QUIET);
        int before = upstream.calls().size();

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("12")));

        assertThat(upstream.calls()).hasSize(before + 1);
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
    }

    @Test
    void clusterThatIsAway_isToBeLookedFor_whicheverWatchBroke() {
        for (String path : List.of(CRDS, API_SERVICES)) {
            try (TypeSource.Feed feed = followed()) {
                last(path).finish();
                assertThat(feed.look()).as("at once").isFalse();

                scheduler.pass(Duration.ofSeconds(3));

                assertThat(feed.look()).as(path).isTrue();
            }
        }
    }

    @Test
    void quietWatches_areConfirmedByCensuses() {
        TypeSource.Feed feed = followed();
        scheduler.pass(QUIET);
        int before = upstream.calls().size();

        assertThat(feed.look()).isFalse();

        assertThat(upstream.calls()).hasSize(before + 2);
        assertThat(last(CRDS).head().headers().get("Accept")).contains("PartialObjectMetadataList");
        last(CRDS).answer(200, list("20", "", foos()));
        last(API_SERVICES).answer(200, list("20", "", apps()));
        scheduler.pass(TOO_QUIET.minus(QUIET));
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void doubt_isOfTheKindThatWasChanged_untilACensusSettlesIt() {
        TypeSource.Feed feed = followed();
        int before = upstream.calls(CRDS).size();
        int beforeOfOthers = upstream.calls(API_SERVICES).size();

        feed.doubt(HolderType.CRD);

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(upstream.calls(API_SERVICES)).hasSize(beforeOfOthers);
        last(CRDS).answer(200, list("20", "", foos()));
        assertThat(feed.silentNanos()).isZero();

        feed.doubt(HolderType.BUILT_IN);
        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(upstream.calls(API_SERVICES)).hasSize(beforeOfOthers + 1);
    }

    @Test
    void listsThatFailed_areTriedAgain_whenTheServerIsHeardOf() {
        TypeSource.Feed feed = open();
        last(CRDS).fail(RESET);
        last(API_SERVICES).fail(RESET);
        assertThat(told).hasSize(2).allSatisfy(change -> assertThat(change).isInstanceOf(TypeChange.Failed.class));
        assertThat(upstream.calls()).hasSize(2);

        feed.hurry();

        assertThat(upstream.calls(CRDS)).hasSize(2);
        assertThat(upstream.calls(API_SERVICES)).hasSize(2);
    }

    @Test
    void restart_listsEverythingAnew_overNewWatches() {
        TypeSource.Feed feed = followed();
        ManualUpstream.Call watch = last(CRDS);

        feed.restart();

        assertThat(watch.isCancelled()).isTrue();
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
        assertThat(last(API_SERVICES).head().target()).doesNotContain("watch=true");
        last(CRDS).answer(200, list("20", "", versioned("19")));
        assertThat(told).singleElement().isInstanceOf(TypeChange.Complete.class);
    }

    @Test
    void close_endsBothWatches_andTellsNothingMore() {
        TypeSource.Feed feed = followed();
        ManualUpstream.Call crds = last(CRDS);
        ManualUpstream.Call services = last(API_SERVICES);
        crds.finish();
        int before = upstream.calls().size();

        feed.close();

        assertThat(services.isCancelled()).isTrue();
        assertThat(scheduler.dueCount()).isZero();
        feed.restart();
        feed.hurry();
        scheduler.pass(LOST_AFTER);
        assertThat(upstream.calls()).hasSize(before);
        assertThat(told).isEmpty();
        assertThat(upstream.isClosed()).as("the connections are the caller's").isFalse();
    }

    @Test
    void ask_isAListOfItsOwn_ofAllKinds() {
        TypeSource.Feed feed = followed();
        upstream.whenCalled(call -> {
            boolean isNext = call.head().target().contains("continue=more");
            String body = switch (call.path()) {
                case CRDS ->
                    isNext
                            ? list("30", "", named(crd("bars", "example.com", "v1"), "bars.example.com", "29"))
                            : list("30", "more", foos());
                default -> list("30", "", apps());
            };
            call.answer(200, body);
        });

        assertThat(names(feed.ask())).containsExactly("bars.example.com", "foos.example.com", "v1.apps");
        assertThat(told).as("nothing is learnt of it").isEmpty();
    }

    @Test
    void ask_ofAServerThatRefuses_saysNothing() {
        TypeSource.Feed feed = followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(CRDS)) {
                call.answer(200, list("30", "", foos()));
            } else {
                call.answer(403, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":403}");
            }
        });

        assertThat(feed.ask()).isEmpty();
    }

    @Test
    void list_isBoundedInAllItsPages() {
        String first = list("10", "more", foos());
        int bytes = first.length() + 10;
        TypeSource.Feed feed = open(SETTINGS.withAnswers(new AnswerLimits(bytes, bytes, Integer.MAX_VALUE, _ -> {})));

        last(CRDS).answer(200, first);
        assertThat(last(CRDS).head().target()).contains("continue=more");
        last(CRDS).answer(200, list("10", "", versioned("9")));

        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Failed.class,
                        failed -> assertThat(failed.why().reason()).isEqualTo("AnswerTooLarge"));
        feed.close();
    }

    @Test
    void revisionThatControlsACrd_isReadBesideTheInformer_andTold() {
        followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(REVISION)) {
                call.answer(200, "{\"metadata\":{\"uid\":\"r1\"},\"spec\":{\"image\":\"p@sha256:00\"}}");
            }
        });

        sayOwned();

        assertThat(told.stream()
                        .map(change -> ((TypeChange.Upserted) change).holder().implementation()))
                .containsExactly("", "sha256:00");
    }

    @Test
    void revisionThatCannotBeRead_isReadAgain_whileACrdNamesIt() {
        followed();
        upstream.whenCalled(call -> {
            if (call.path().equals(REVISION)) {
                call.answer(404, "{}");
            }
        });
        sayOwned();
        assertThat(upstream.calls(REVISION)).hasSize(1);

        scheduler.pass(Duration.ofSeconds(60));
        assertThat(upstream.calls(REVISION)).hasSize(2);

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("13")));
        scheduler.pass(Duration.ofSeconds(60));
        scheduler.pass(Duration.ofSeconds(60));
        assertThat(upstream.calls(REVISION)).as("nothing names it any more").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void censusOfAnotherHistory_isTold() {
        TypeSource.Feed feed = followed();
        feed.doubt(HolderType.CRD);

        last(CRDS).answer(200, list("5", "", foos()));

        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Replaced.class,
                        replaced -> assertThat(replaced.why())
                                .isEqualTo(
                                        "the list of " + CRDS + ": it is at resourceVersion 5 and was at 10 before"));
    }

    @Test
    void doubtThatNoCensusCanSettle_hasItsKindListedAnew() {
        TypeSource.Feed feed = followed();
        feed.doubt(HolderType.CRD);
        int before = upstream.calls(CRDS).size();

        last(CRDS).answer(500, "{}");

        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
        last(CRDS).answer(200, list("20", "", foos()));
        last(CRDS).begin(200);
        assertThat(feed.silentNanos()).isZero();
    }

    /** Tells of a definition that a revision controls, and runs what comes of it beside the informer. */
    private void sayOwned() {
        holding = true;
        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", owned()));
        while (told.isEmpty()) {
            held.remove().run();
        }
        assertThat(upstream.calls(REVISION)).isEmpty();
        holding = false;
        for (Runnable task = held.poll(); task != null; task = held.poll()) {
            task.run();
        }
    }

    /** A feed whose watches stand and which has told what there is. */
    private TypeSource.Feed followed() {
        TypeSource.Feed feed = open();
        last(CRDS).answer(200, list("10", "", foos()));
        last(API_SERVICES).answer(200, list("11", "", apps()));
        last(CRDS).begin(200);
        last(API_SERVICES).begin(200);
        assertThat(feed.silentNanos()).isZero();
        told.clear();
        return feed;
    }

    private TypeSource.Feed open() {
        return open(SETTINGS);
    }

    private TypeSource.Feed open(SyncSettings settings) {
        TypeSource source = new KubernetesTypeSources(
                        new TypeReader(FleetIndex.create().types()),
                        UnaryOperator.identity(),
                        settings,
                        scheduler,
                        this::execute,
                        new Random(1),
                        scheduler::nanoTime)
                .of(upstream, () -> "t0ken");
        assertThat(source.types())
                .containsExactlyInAnyOrder(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
        return source.open(told::add);
    }

    private void execute(Runnable task) {
        if (holding) {
            held.add(task);
        } else {
            task.run();
        }
    }

    private ManualUpstream.Call last(String path) {
        return upstream.calls(path).getLast();
    }

    private static List<String> names(Optional<Collection<Holder>> holders) {
        return holders.orElseThrow().stream().map(Holder::name).sorted().toList();
    }

    private static ObjectNode foos() {
        return versioned("9");
    }

    private static ObjectNode versioned(String resourceVersion) {
        return named(crd("foos", "example.com", "v1"), "foos.example.com", resourceVersion);
    }

    private static ObjectNode owned() {
        ObjectNode crd = versioned("12");
        crd.withObject("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "pkg.crossplane.io/v1")
                .put("kind", "ProviderRevision")
                .put("name", "p-1")
                .put("uid", "r1")
                .put("controller", true);
        return crd;
    }

    private static ObjectNode apps() {
        return named(builtIn("apps", "v1"), "v1.apps", "3");
    }

    private static ObjectNode metrics() {
        return named(aggregated("metrics", "v1"), "v1.metrics", "4");
    }

    private static ObjectNode named(ObjectNode object, String name, String resourceVersion) {
        object.withObject("metadata")
                .put("name", name)
                .put("uid", "uid-" + name)
                .put("resourceVersion", resourceVersion);
        return object;
    }

    private static String list(String resourceVersion, String token, ObjectNode... objects) {
        ObjectNode list = Json.object().put("kind", "List").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", resourceVersion).put("continue", token);
        ArrayNode items = list.putArray("items");
        List.of(objects).forEach(items::add);
        return Json.text(list);
    }

    private static String event(String type, String apiVersion, String kind, ObjectNode object) {
        object.put("apiVersion", apiVersion).put("kind", kind);
        return "{\"type\":\"" + type + "\",\"object\":" + Json.text(object) + "}\n";
    }
}
