package io.fairlead.gateway.edge;

import io.fairlead.index.history.Histories;
import io.fairlead.index.history.NamedRevision;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Histories that say of each version what a test does; of all others that they are current. */
final class FakeHistories implements Histories {
    final Map<String, CompletableFuture<NamedRevision>> answers = new ConcurrentHashMap<>();
    final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<Consumer<ClusterName>> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore questions = new Semaphore(0);

    /** Waits until it was asked so many times. */
    void awaitAsked(int times) throws InterruptedException {
        if (!questions.tryAcquire(times, 10, TimeUnit.SECONDS)) {
            throw new AssertionError("not asked " + times + " times");
        }
    }

    void say(String resourceVersion, NamedRevision revision) {
        answers.put(resourceVersion, CompletableFuture.completedFuture(revision));
    }

    @Override
    public CompletionStage<NamedRevision> judge(ClusterName cluster, String resourceVersion) {
        asked.add(cluster + " " + resourceVersion);
        questions.release();
        return answers.getOrDefault(resourceVersion, CompletableFuture.completedFuture(NamedRevision.CURRENT));
    }

    @Override
    public Listening whenRewound(Consumer<ClusterName> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** A cluster proves to have another history. */
    void rewind(String cluster) {
        listeners.forEach(listener -> listener.accept(new ClusterName(cluster)));
    }
}
