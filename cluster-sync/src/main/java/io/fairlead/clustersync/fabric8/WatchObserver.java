package io.fairlead.clustersync.fabric8;

/**
 * Hears when watches stand and when they end; fabric8's own {@code isWatching} is false until the first event.
 *
 * <p>{@link #stands}, {@link #heard} and {@link #ended} are called as it happens, on an event loop, and must not wait; {@link
 * #opened} and {@link #closed} follow in order for each watch, on a thread that may block.
 */
interface WatchObserver {
    WatchObserver NONE = new WatchObserver() {
        @Override
        public void stands(String path) {}

        @Override
        public void opened(String path, String resourceVersion) {}

        @Override
        public void heard(String path) {}

        @Override
        public void ended(String path, boolean stood, boolean orderly) {}

        @Override
        public void closed(String path) {}
    };

    /** The server accepted a watch; {@code path} is without the query. */
    void stands(String path);

    /**
     * The server accepted a watch.
     *
     * @param resourceVersion where it begins; empty if the request did not say
     */
    void opened(String path, String resourceVersion);

    /** The server said something on a watch, if only that it has ended. */
    void heard(String path);

    /**
     * A watch has ended, or there never was one.
     *
     * @param stood whether the server had accepted it
     * @param orderly whether the server ended it, and not the loss of a connection
     */
    void ended(String path, boolean stood, boolean orderly);

    /** A watch that was accepted has ended, whatever for. */
    void closed(String path);
}
