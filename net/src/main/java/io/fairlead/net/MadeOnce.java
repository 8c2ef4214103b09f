package io.fairlead.net;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made on a virtual thread when it is first asked for, and again when it is asked for after that failed. Any
 * thread; nothing blocks.
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
