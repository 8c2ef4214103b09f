package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TestMemory;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Hosted clusters over a store, with views that allow everything. */
final class Fixture implements AutoCloseable {
    static final ClusterName ALL = new ClusterName("all");
    static final ClusterName DEV = new ClusterName("dev");

    private static final Duration POLL = Duration.ofMillis(2);

    final RevisionedStore store;
    final HostedClusters clusters;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    /** Over a store in memory. */
    Fixture() {
        this(new MemoryStore(), settings(1024, 1024), List.of());
    }

    /** A cluster with every built-in kind. */
    Api withEveryKind() {
        return new Api(clusters.open(ALL, BuiltIns.ALL));
    }

    Fixture(Engine engine, Path directory) {
        this(engine.open(directory), settings(1024, 1024), List.of());
    }

    Fixture(RevisionedStore store, HostedSettings settings, List<BuiltInKind> rootKinds) {
        this(store, settings, rootKinds, InstantSource.system());
    }

    Fixture(RevisionedStore store, HostedSettings settings, List<BuiltInKind> rootKinds, InstantSource clock) {
        this(store, settings, ConversionWebhooks.NONE, rootKinds, clock);
    }

    /** Over a store in memory, with webhooks. */
    Fixture(HostedSettings settings, ConversionWebhooks webhooks) {
        this(new MemoryStore(), settings, webhooks, List.of(), InstantSource.system());
    }

    private Fixture(
            RevisionedStore store,
            HostedSettings settings,
            ConversionWebhooks webhooks,
            List<BuiltInKind> rootKinds,
            InstantSource clock) {
        this(store, settings, (cluster, types, objects, tokens, vitals) -> new OpenViews(), webhooks, rootKinds, clock);
    }

    /** Over a store in memory, with the views that clusters have: rights, discovery, OpenAPI. */
    static Fixture withItsViews() {
        return new Fixture(
                new MemoryStore(),
                settings(1024, 1024),
                HostedViews.factory(InstantSource.system()),
                ConversionWebhooks.NONE,
                List.of(),
                InstantSource.system());
    }

    private Fixture(
            RevisionedStore store,
            HostedSettings settings,
            ClusterViews.Factory views,
            ConversionWebhooks webhooks,
            List<BuiltInKind> rootKinds,
            InstantSource clock) {
        this.store = store;
        this.clusters =
                new HostedClusters(store, settings, views, CommitHook.NONE, webhooks, rootKinds, "", clock, scheduler);
    }

    static HostedSettings settings(int history, int buffer) {
        return settings(history, buffer, TestMemory.of(ByteBudget.of(256L * 1024 * 1024)));
    }

    static HostedSettings settings(int history, int buffer, HostedMemory memory) {
        return new HostedSettings(
                3 * 1024 * 1024,
                history,
                buffer,
                Duration.ofMillis(50),
                Duration.ofMinutes(30),
                Duration.ofMillis(200),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                memory,
                URI.create("https://localhost:6443"));
    }

    Api dev() {
        return api(DEV);
    }

    Api api(ClusterName name) {
        return new Api(clusters.open(name));
    }

    /** Forgets the past as far as that is allowed: once a watch has seen the newest revision. */
    void compact() {
        Api api = dev();
        String revision = api.create("/api/v1/namespaces/kube-system/configmaps", "metadata: {generateName: m-}")
                .expect(201)
                .resourceVersion();
        try (Events events = api.watch("/api/v1/configmaps?allowWatchBookmarks=true&resourceVersion=" + revision)) {
            Events.Event bookmark = events.next();
            store.compact(Math.min(store.revision(), bookmark.revision()));
        }
    }

    /** Looks until something holds, at most thirty seconds. */
    static void eventually(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within thirty seconds: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    @Override
    public void close() {
        stop();
        store.close();
    }

    /** Ends everything but the store. */
    void stop() {
        clusters.close();
        scheduler.shutdownNow();
    }

    /** Allows everything and has no paths of its own. */
    private static final class OpenViews implements ClusterViews {
        private final Representations representations = new Representations(InstantSource.system());

        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            return new Decision.Allowed();
        }

        @Override
        public @Nullable ApiResponse answer(ApiRequest request) {
            return null;
        }

        @Override
        public List<ResourceType> virtualTypes() {
            return List.of();
        }

        @Override
        public Representation representation(ApiRequest request, ResourceType type, boolean watch) {
            return representations.of(request, type, watch);
        }

        @Override
        public List<ObjectNode> bootstrapObjects() {
            return List.of();
        }
    }
}
