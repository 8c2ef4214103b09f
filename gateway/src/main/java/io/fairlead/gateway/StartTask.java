package io.fairlead.gateway;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A part that is opened or read on a thread of its own while the start goes on, and closed like one that was opened in its place.
 *
 * <p>Threads: the methods are for the thread of the start.
 */
@SuppressWarnings("try") // What closing the part throws is for its owner.
final class StartTask<T> implements AutoCloseable {
    /** Opens the part. */
    @FunctionalInterface
    interface Opening<T> {
        T open() throws StartFailure;
    }

    private final FutureTask<T> opening;

    private StartTask(FutureTask<T> opening) {
        this.opening = opening;
    }

    static <T> StartTask<T> begin(String thread, Opening<T> opening) {
        FutureTask<T> task = new FutureTask<>(opening::open);
        Thread.ofPlatform().name(thread).daemon().start(task);
        return new StartTask<>(task);
    }

    /** Waits for the part. */
    T opened() throws StartFailure {
        try {
            return awaited();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case StartFailure failure -> throw failure;
                case RuntimeException unexpected -> throw unexpected;
                case Error unexpected -> throw unexpected;
                case null, default -> throw new IllegalStateException(failed);
            }
        }
    }

    /** Closes the part, whether it was asked for or not; what could not be opened needs no closing. */
    @Override
    public void close() throws Exception {
        T part;
        try {
            part = awaited();
        } catch (ExecutionException notOpened) {
            return;
        }
        if (part instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    /** A start is not given up half-way: what is opened must be closed again. */
    private T awaited() throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return opening.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
