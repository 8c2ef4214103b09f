package io.fairlead.clustersync.fabric8;

/**
 * Hears when watches stand and when they end; fabric8's own {@code isWatching} is false until the first event.
 *
 * <p>Called one at a time for a path, on a thread that may block.
 */
interface WatchObserver {
    WatchObserver NONE = new WatchObserver() {
        @Override
        public void opened(String path) {}

        @Override
        public void closed(String path) {}
    };

    /** The server accepted a watch; {@code path} is without the query. */
    void opened(String path);

    /** A watch that was accepted has ended, whatever for. */
    void closed(String path);
}
