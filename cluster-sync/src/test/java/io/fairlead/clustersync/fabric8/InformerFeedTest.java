package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fairlead.clustersync.SyncSettings;
import io.fairlead.clustersync.TypeChange;
import io.fairlead.index.HolderType;
import io.fairlead.net.Upstream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
