package io.fairlead.gateway;

import io.fairlead.storage.EmbeddedStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The store while it is opened on a thread of its own beside other parts, and closed with them whether anything has asked for it or
 * not. Threads: {@link #get} and {@link #close} are for the one that starts the gateway.
 */
final class StoreOpening implements AutoCloseable {
    private final CompletableFuture<EmbeddedStore> opened = new CompletableFuture<>();

    private StoreOpening() {}

    /** Opens a store. */
    @FunctionalInterface
    interface Opener {
        EmbeddedStore open() throws StartFailure;
    }

    /** Begins to open it. */
    static StoreOpening begin(Opener opener) {
        StoreOpening opening = new StoreOpening();
        Thread.ofPlatform().name("store-opening").daemon().start(() -> opening.open(opener));
        return opening;
    }

    private void open(Opener opener) {
        try {
            opened.complete(opener.open());
        } catch (Throwable failure) { // The thread that waits for it must be told of an Error as well.
            opened.completeExceptionally(failure);
        }
    }

    /** Waits for it. */
    EmbeddedStore get() throws StartFailure {
        try {
            return opened.join();
        } catch (CompletionException failed) {
            switch (failed.getCause()) {
                case StartFailure failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw failed;
            }
        }
    }

    @Override
    public void close() {
        EmbeddedStore store = opened.handle(StoreOpening::ifOpened).join();
        if (store != null) {
            store.close();
        }
    }

    private static @Nullable EmbeddedStore ifOpened(@Nullable EmbeddedStore store, @Nullable Throwable failure) {
        return store;
    }
}
