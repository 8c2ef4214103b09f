package io.fairlead.hosted.cluster;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Writes that are begun at once, since a store makes many durable together. */
final class Together {
    private Together() {}

    /**
     * Does something with each of some, and returns when all is done.
     *
     * @throws InterruptedException if the thread was interrupted; some may not be done then
     */
    static <T> void run(List<T> all, Consumer<T> write) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> writes = all.stream()
                    .map(one -> threads.submit(() -> write.accept(one)))
                    .toList();
            for (Future<?> done : writes) {
                done.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : new IllegalStateException(e.getCause());
        }
    }
}
