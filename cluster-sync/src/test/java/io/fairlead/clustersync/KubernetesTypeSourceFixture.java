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
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexLimits;
import io.fairlead.index.history.InformerDecision;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A source whose upstream, scheduler and clock are a test's own. */
abstract class KubernetesTypeSourceFixture {
    static final String REVISION = "/apis/pkg.crossplane.io/v1/providerrevisions/p-1";
    static final Set<HolderType> SERVICES = Set.of(HolderType.BUILT_IN, HolderType.API_SERVICE);
    static final Duration LOST_AFTER = Duration.ofSeconds(30);
    static final Duration QUIET = Duration.ofSeconds(80);
    static final Duration TOO_QUIET = Duration.ofSeconds(95);
    static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    /** Nothing is tried again by itself. */
    static final SyncSettings SETTINGS = settings(TestSettings.answers(4));

    final ManualUpstream upstream = new ManualUpstream();
    final ManualScheduler scheduler = new ManualScheduler();
    final List<TypeChange> told = new ArrayList<>();
    final List<InformerDecision> travels = new ArrayList<>();
    final Queue<Runnable> held = new ArrayDeque<>();
    boolean holding;

    /** Tells of a definition that a revision controls, and runs what comes of it beside the informer. */
    void sayOwned() {
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
    TypeSource.Feed followed() {
        TypeSource.Feed feed = open();
        last(CRDS).answer(200, list("10", "", foos()));
        last(API_SERVICES).answer(200, list("11", "", apps()));
        last(CRDS).begin(200);
        last(API_SERVICES).begin(200);
        assertThat(feed.silentNanos()).isZero();
        told.clear();
        return feed;
    }

    TypeSource.Feed open() {
        return open(SETTINGS);
    }

    TypeSource.Feed open(SyncSettings settings) {
        TypeSource source = new KubernetesTypeSources(
                        new TypeReader(FleetIndex.create().types()),
                        UnaryOperator.identity(),
                        settings,
                        scheduler,
                        this::execute,
                        new Random(1),
                        scheduler::nanoTime)
                .of(upstream, () -> "t0ken", travels::add);
        assertThat(source.types())
                .containsExactlyInAnyOrder(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
        return source.open(told::add);
    }

    void execute(Runnable task) {
        if (holding) {
            held.add(task);
        } else {
            task.run();
        }
    }

    ManualUpstream.Call last(String path) {
        return upstream.calls(path).getLast();
    }

    static List<String> names(Optional<Collection<Holder>> holders) {
        return holders.orElseThrow().stream().map(Holder::name).sorted().toList();
    }

    static ObjectNode foos() {
        return versioned("9");
    }

    static ObjectNode versioned(String resourceVersion) {
        return named(crd("foos", "example.com", "v1"), "foos.example.com", resourceVersion);
    }

    static ObjectNode owned() {
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

    static ObjectNode apps() {
        return named(builtIn("apps", "v1"), "v1.apps", "3");
    }

    static ObjectNode metrics() {
        return named(aggregated("metrics", "v1"), "v1.metrics", "4");
    }

    static ObjectNode named(ObjectNode object, String name, String resourceVersion) {
        object.withObject("metadata")
                .put("name", name)
                .put("uid", "uid-" + name)
                .put("resourceVersion", resourceVersion);
        return object;
    }

    static String list(String resourceVersion, String token, ObjectNode... objects) {
        ObjectNode list = Json.object().put("kind", "List").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", resourceVersion).put("continue", token);
        ArrayNode items = list.putArray("items");
        List.of(objects).forEach(items::add);
        return Json.text(list);
    }

    static String event(String type, String apiVersion, String kind, ObjectNode object) {
        object.put("apiVersion", apiVersion).put("kind", kind);
        return "{\"type\":\"" + type + "\",\"object\":" + Json.text(object) + "}\n";
    }

    static SyncSettings settings(AnswerLimits answers) {
        return new SyncSettings(
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofHours(1),
                LOST_AFTER,
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Duration.ofHours(1),
                3,
                4,
                Duration.ofMillis(1),
                answers,
                IndexLimits.NONE);
    }
}
