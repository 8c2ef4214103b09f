package io.fairlead.net.address;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The operating system's resolver, on two dedicated threads since it blocks; the JDK caches its answers.
 *
 * <p>More look-ups than the queue holds fail at once.
 */
public final class SystemResolver implements HostResolver, AutoCloseable {
    private static final int THREADS = 2;
    private static final int WAITING_MAX = 1_000;

    private final ThreadPoolExecutor executor;

    public SystemResolver() {
        executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                new DefaultThreadFactory("fairlead-resolve", true));
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> lookUp(host, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new UnknownHostException("too many names are being looked up"));
        }
        return answer;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
        try {
            answer.complete(List.of(InetAddress.getAllByName(host)));
        } catch (UnknownHostException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
