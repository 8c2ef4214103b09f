package io.fairlead.clustersync.fabric8;

/**
 * Hears when watches stand and when they end; fabric8's own {@code isWatching} is false until the first event.
 *
 * <p>But for {@link #heard}, called one at a time for a path, on a thread that may block.
 */
interface WatchObserver {
    WatchObserver NONE = new WatchObserver() {
        @Override
        public void opened(String path) {}

        @Override
        public void heard(String path) {}

        @Override
        public void closed(String path) {}
    };

    /** The server accepted a watch; {@code path} is without the query. */
    void opened(String path);

    /** The server said something on a watch, if only that it has ended; on an event loop, which must not wait. */
    void heard(String path);

    /** A watch that was accepted has ended, whatever for. */
    void closed(String path);
}
