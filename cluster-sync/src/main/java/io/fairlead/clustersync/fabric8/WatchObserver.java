package io.fairlead.clustersync.fabric8;

/**
 * Observes when watches are established and when they end; fabric8's own {@code isWatching} is false until the first
 * event.
 *
 * <p>{@link #stands}, {@link #heard} and {@link #ended} are called immediately, on an event loop, and must not block;
 * {@link #opened} and {@link #closed} follow in order for each watch, on a thread that may block.
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

    /**
     * Where a watch begins that is about to be requested; must not wait for a request.
     *
     * @param resourceVersion where the informer wants it to begin; empty if it does not say
     */
    default String begins(String path, String resourceVersion) {
        return resourceVersion;
    }

    /** The server accepted a watch; {@code path} is without the query. */
    void stands(String path);

    /**
     * The server accepted a watch.
     *
     * @param resourceVersion where it begins; empty if the request had none
     */
    void opened(String path, String resourceVersion);

    /** The server sent something on a watch, even if only its end. */
    void heard(String path);

    /**
     * A watch has ended, or was never established.
     *
     * @param stood whether the server had accepted it
     * @param orderly whether the server ended it cleanly, without a loss of the connection
     */
    void ended(String path, boolean stood, boolean orderly);

    /** An accepted watch has ended, for any reason. */
    void closed(String path);
}
