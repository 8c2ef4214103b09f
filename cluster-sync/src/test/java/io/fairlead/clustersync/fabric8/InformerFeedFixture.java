package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.net.Exchange;
import io.fairlead.net.Upstream;
import io.netty.channel.EventLoop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A feed whose informers, scheduler and clock are a test's own. */
abstract class InformerFeedFixture {
    static final SyncSettings SETTINGS = TestSettings.patient();
    static final Duration STEADY = Duration.ofSeconds(11);
    static final int KEPT_BYTES_MAX = 80_000;
    static final Duration MOMENT = Duration.ofMillis(1);
    /** Longer than the first wait for another attempt, and shorter than a watch may be broken. */
    static final Duration WHILE = Duration.ofSeconds(2);

    final ManualScheduler scheduler = new ManualScheduler();
    final List<TypeChange> told = new ArrayList<>();
    final List<InformerDecision> travels = new ArrayList<>();
    final List<FakeInformer> informers = new ArrayList<>();
    final ListLimiter turns = new ListLimiter(1, timer(), Runnable::run);
    int errorsToCome;
    /** What happens when the next informer is about to start. */
    Runnable beforeStart = () -> {};

    int censuses;
    final InformerFeed<CrdObject> feed = feed();

    void follow(String... names) {
        feed.start();
        last().list("10", names);
        watch("10");
    }

    void watch(String resourceVersion) {
        feed.watchStands();
        feed.watchOpened(resourceVersion);
    }

    void breakWatch() {
        feed.watchEnded(true, false);
        feed.watchClosed();
    }

    FakeInformer last() {
        return informers.getLast();
    }

    List<String> reasons() {
        return told.stream()
                .map(change -> ((TypeChange.Failed) change).why().reason())
                .toList();
    }

    InformerFeed<CrdObject> feed() {
        Upstream silent = fake(Upstream.class, (_, _, _) -> {
            censuses++;
            return fake(Exchange.class, (_, method, _) -> method.getName().equals("eventLoop") ? loop() : null);
        });
        return new InformerFeed<>(
                new Subject<>(
                        CrdObject.class,
                        "/crds",
                        Set.of(HolderType.CRD),
                        crd -> Claims.of(crd, 256, ""),
                        _ -> "",
                        CrdObject::new),
                UnaryOperator.identity(),
                new FeedContext(
                        client(),
                        SETTINGS,
                        turns,
                        new KeptTypes(new AnswerLimits(
                                Long.MAX_VALUE,
                                Long.MAX_VALUE,
                                Integer.MAX_VALUE,
                                AnswerLimits.Kept.ofAll(KEPT_BYTES_MAX),
                                _ -> {})),
                        new Censuses(
                                silent,
                                () -> null,
                                SETTINGS,
                                new ListLimiter(1, timer(), Runnable::run),
                                Runnable::run),
                        scheduler,
                        Runnable::run,
                        scheduler::nanoTime,
                        UnaryOperator.identity(),
                        travels::add),
                new ListPace(SETTINGS, new Random(1), scheduler::nanoTime),
                new HistoryReports(told::add));
    }

    /** Deadlines of censuses never come. */
    static EventLoop loop() {
        return fake(EventLoop.class, (_, _, _) -> null);
    }

    ListLimiter.Timer timer() {
        return new ListLimiter.Timer() {
            @Override
            public long nanoTime() {
                return scheduler.nanoTime();
            }

            @Override
            public void after(long nanos, Runnable task) {
                throw new AssertionError("expected no list to wait for a place");
            }
        };
    }

    /** Makes informers by {@code resources(type).withLimit(limit).runnableInformer(0)}, or has no memory for one. */
    KubernetesClient client() {
        return fake(KubernetesClient.class, (_, resources, _) -> {
            if (errorsToCome > 0) {
                errorsToCome--;
                throw new OutOfMemoryError("of a test");
            }
            return fake(
                    resources.getReturnType(),
                    (_, withLimit, limit) -> fake(withLimit.getReturnType(), (_, runnableInformer, _) -> {
                        FakeInformer informer = new FakeInformer((Long) limit[0], beforeStart);
                        beforeStart = () -> {};
                        informers.add(informer);
                        return fake(runnableInformer.getReturnType(), informer);
                    }));
        });
    }

    static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }

    /** An informer that does what the test does. */
    static final class FakeInformer implements InvocationHandler {
        final long limit;
        private final Runnable beforeStart;
        final CompletableFuture<Void> gone = new CompletableFuture<>();
        private @Nullable ItemStore<CrdObject> store;
        private @Nullable ResourceEventHandler<CrdObject> bounds;
        boolean started;
        boolean stopped;

        FakeInformer(long limit, Runnable beforeStart) {
            this.limit = limit;
            this.beforeStart = beforeStart;
        }

        @Override
        @SuppressWarnings("unchecked") // as the informer's methods declare it
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) {
            switch (method.getName()) {
                case "itemStore" -> store = (ItemStore<CrdObject>) Objects.requireNonNull(arguments)[0];
                case "addEventHandler" ->
                    bounds = (ResourceEventHandler<CrdObject>) Objects.requireNonNull(arguments)[0];
                case "start" -> start();
                case "stop" -> stopped = true;
                default -> {}
            }
            if (method.getName().equals("stopped")) {
                return gone;
            }
            return method.getReturnType().isInstance(self) ? self : null;
        }

        /** As fabric8's. */
        void start() {
            beforeStart.run();
            if (stopped) {
                throw new IllegalStateException("Cannot restart a stopped informer");
            }
            started = true;
        }

        void list(String resourceVersion, String... names) {
            begin();
            for (String name : names) {
                put(name, resourceVersion);
            }
            end(resourceVersion);
        }

        void begin() {
            Objects.requireNonNull(bounds).onBeforeList("");
        }

        void end(String resourceVersion) {
            Objects.requireNonNull(bounds).onList(resourceVersion, false);
        }

        void put(String name, String resourceVersion) {
            CrdObject crd = new CrdObject();
            crd.setMetadata(new ObjectMetaBuilder()
                    .withName(name)
                    .withUid("uid-" + name)
                    .withResourceVersion(resourceVersion)
                    .build());
            ItemStore<CrdObject> filled = Objects.requireNonNull(store);
            try {
                filled.put(filled.getKey(crd), crd);
            } catch (CancellationException left) {
                assertThat(stopped).isTrue();
            }
        }

        void fail(int code) {
            gone.completeExceptionally(new KubernetesClientException("of a test", code, null));
        }
    }
}
