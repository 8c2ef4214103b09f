package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fairlead.clustersync.SyncSettings;
import io.fairlead.clustersync.TypeChange;
import io.fairlead.index.HolderType;
import io.fairlead.net.Upstream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InformerFeedTest {
    private static final long SECONDS_MAX = 30;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<TypeChange> told = new LinkedBlockingQueue<>();
    private final CountDownLatch begun = new CountDownLatch(3);

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void listThatCannotBeBegun_isTold_andBegunAgain() throws Exception {
        InformerFeed<CrdObject> feed = feed(client());
        feed.start();

        assertThat(begun.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        feed.close();
        assertThat(told.poll(SECONDS_MAX, TimeUnit.SECONDS)).isInstanceOfSatisfying(TypeChange.Failed.class, failed -> {
            assertThat(failed.types()).containsExactly(HolderType.CRD);
            assertThat(failed.why().message()).contains("/crds could not be begun");
        });
    }

    @Test
    void informerThatIsReplacedBeforeItStarts_isNoFailure() {
        var feeds = new ArrayList<InformerFeed<CrdObject>>();
        var informers = new ArrayList<ReplacedInformer>();
        KubernetesClient client = fake(
                KubernetesClient.class,
                (_, _, _) -> operation(() -> {
                    informers.add(new ReplacedInformer(
                            informers.isEmpty() ? () -> feeds.getFirst().start() : () -> {}));
                    return informers.getLast().fake();
                }));
        feeds.add(feed(client));
        feeds.getFirst().start();

        assertThat(told).isEmpty();
        assertThat(informers).extracting(informer -> informer.stopped).containsExactly(true, false);
        feeds.getFirst().close();
    }

    /** Whatever is asked of it leads to an informer. */
    private static Object operation(Supplier<Object> informers) {
        return fake(
                MixedOperation.class,
                (_, method, _) -> method.getName().equals("runnableInformer") ? informers.get() : operation(informers));
    }

    /** One that something may befall while it is about to start; fabric8's cannot be started either once they are stopped. */
    private static final class ReplacedInformer {
        private final Runnable beforeStart;
        private boolean stopped;

        ReplacedInformer(Runnable beforeStart) {
            this.beforeStart = beforeStart;
        }

        Object fake() {
            return InformerFeedTest.fake(SharedIndexInformer.class, (self, method, _) -> switch (method.getName()) {
                case "start" -> {
                    beforeStart.run();
                    if (stopped) {
                        throw new IllegalStateException("Cannot restart a stopped informer");
                    }
                    yield new CompletableFuture<>();
                }
                case "stop" -> {
                    stopped = true;
                    yield null;
                }
                case "stopped" -> new CompletableFuture<>();
                default -> self;
            });
        }
    }

    /** Has no memory for a list. */
    private KubernetesClient client() {
        return fake(KubernetesClient.class, (_, _, _) -> {
            begun.countDown();
            throw new OutOfMemoryError("of a test");
        });
    }

    private static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }

    private InformerFeed<CrdObject> feed(KubernetesClient client) {
        SyncSettings settings = SyncSettings.defaults();
        Upstream upstream = fake(Upstream.class, (_, method, _) -> {
            throw new AssertionError(method);
        });
        ListTurns turns = new ListTurns(1, ListTurns.Timer.of(scheduler), Runnable::run);
        return new InformerFeed<>(
                new Subject<>(
                        CrdObject.class,
                        "/crds",
                        Set.of(HolderType.CRD),
                        _ -> Optional.empty(),
                        _ -> "",
                        CrdObject::new),
                UnaryOperator.identity(),
                client,
                settings,
                turns,
                new Censuses(upstream, () -> null, settings, turns, Runnable::run),
                scheduler,
                Runnable::run,
                System::nanoTime,
                new ListPace(settings, new Random(1), System::nanoTime),
                told::add);
    }
}
