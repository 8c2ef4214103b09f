package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that were begun before their cluster was closed or deleted. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FenceTest {
    private static final String WRITER = "writer";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private volatile Gate gate = new Gate("none");
    private final Fixture fixture = new Fixture(
            InterceptedStore.of(
                    new MemoryStore(),
                    (method, arguments) -> gate.pass("before " + method, arguments),
                    (method, arguments) -> gate.pass("after " + method, arguments)),
            Fixture.settings(64, 64),
            List.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writeThatWasNotCommittedBeforeTheClose_isRefused(boolean deleted) throws Exception {
        Api api = fixture.dev();
        Gate held = new Gate("after get");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            gate = held;
            Future<Answer> write = threads.submit(() -> {
                Thread.currentThread().setName(WRITER);
                return api.create(MAPS, "metadata: {name: late}");
            });
            held.awaitCaller();

            if (deleted) {
                fixture.clusters.delete(Fixture.DEV);
            } else {
                fixture.clusters.close(Fixture.DEV);
            }
            held.open();

            Answer answer = write.get().expect(503);
            assertThat(answer.message()).contains("\"dev\"", "closed");
            assertThat(answer.headers()).containsEntry("Retry-After", List.of("1"));
        }
        assertThat(count("/configmaps/default/late")).isZero();
        if (deleted) {
            assertThat(keysOfClusters()).isZero();
        }
    }

    @Test
    void writeThatIsBeingCommitted_isDeletedWithTheRest() throws Exception {
        Api api = fixture.dev();
        Gate held = new Gate("before commit");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            gate = held;
            Future<Answer> write = threads.submit(() -> api.create(MAPS, "metadata: {name: late}"));
            held.awaitCaller();
            Thread deletion = Thread.ofPlatform().start(() -> fixture.clusters.delete(Fixture.DEV));
            Fixture.eventually(
                    "waits for the write, or is over",
                    () -> deletion.getState() == Thread.State.TIMED_WAITING
                            || deletion.getState() == Thread.State.TERMINATED);
            held.open();

            write.get().expect(201);
            deletion.join();
        }
        assertThat(keysOfClusters()).isZero();
    }

    @Test
    void writeThatTheStoreKeeps_delaysNotTheClose_butTheDeletion() throws Exception {
        Api api = fixture.dev();
        Gate held = new Gate("before commit");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            gate = held;
            Future<Answer> write = threads.submit(() -> api.create(MAPS, "metadata: {name: late}"));
            held.awaitCaller();

            fixture.clusters.close(Fixture.DEV, Duration.ofMillis(1));
            fixture.clusters.delete(Fixture.DEV);
            assertThat(keysOfClusters()).as("what stands below the cluster").isPositive();
            held.open();

            write.get().expect(201);
        }
        Fixture.eventually("all is deleted", () -> keysOfClusters() == 0);
    }

    @Test
    void writesAtEveryMoment_leaveNothingOfADeletedCluster() throws Exception {
        for (int round = 0; round < 20; round++) {
            Api api = fixture.dev();
            AtomicInteger created = new AtomicInteger();
            List<Future<Answer>> last = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 4; i++) {
                    last.add(threads.submit(() -> {
                        Answer answer = api.create(MAPS, "metadata: {generateName: m-}");
                        while (answer.code() == 201) {
                            created.incrementAndGet();
                            answer = api.create(MAPS, "metadata: {generateName: m-}");
                        }
                        return answer;
                    }));
                }
                Fixture.eventually("writers write", () -> created.get() > 20);
                fixture.clusters.delete(Fixture.DEV);
                for (Future<Answer> answer : last) {
                    // Either at the fence, or the namespace is gone already.
                    assertThat(answer.get().code()).isIn(503, 404);
                }
            }
            assertThat(keysOfClusters()).isZero();
        }
    }

    private long keysOfClusters() {
        return count("/c/");
    }

    private long count(String part) {
        return fixture.store.list("/", null, 0, fixture.store.revision()).stream()
                .filter(entry -> entry.key().contains(part))
                .count();
    }

    /** Holds the first write of a config map back, before it is committed or just as it is. */
    private static final class Gate {
        private final String method;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        Gate(String method) {
            this.method = method;
        }

        void pass(String called, Object[] arguments) {
            if (called.equals(method) && concernsTheWrite(arguments[0]) && reached.getCount() > 0) {
                reached.countDown();
                await(opened);
            }
        }

        /** Before a create is committed it looks whether its namespace is open. */
        private static boolean concernsTheWrite(Object argument) {
            return argument instanceof Write.Put(String key, byte[] _, long _, boolean _)
                    ? key.endsWith("/late")
                    : argument instanceof String read
                            && read.endsWith("/namespaces/default")
                            && Thread.currentThread().getName().equals(WRITER);
        }

        void awaitCaller() {
            await(reached);
        }

        void open() {
            opened.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
