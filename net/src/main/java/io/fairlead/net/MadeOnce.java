package io.fairlead.net;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value computed on a virtual thread at its first use, and again at the next use after a failure. Any thread; nothing
 * blocks.
 */
final class MadeOnce<T> {
    private final Supplier<T> maker;
    private @Nullable CompletableFuture<T> made;

    MadeOnce(Supplier<T> maker) {
        this.maker = maker;
    }

    synchronized CompletableFuture<T> get() {
        CompletableFuture<T> known = made;
        if (known == null || known.isCompletedExceptionally()) {
            known = CompletableFuture.supplyAsync(maker, Thread::startVirtualThread);
            made = known;
        }
        return known;
    }
}
