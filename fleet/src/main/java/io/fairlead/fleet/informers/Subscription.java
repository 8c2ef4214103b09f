package io.fairlead.fleet.informers;

import io.fairlead.clustersync.source.Finding;

/** Objects that a listener follows. Threads: any. */
public interface Subscription extends AutoCloseable {
    /**
     * Whether the listener is told of all objects, and why not: the cluster's refusal, or what the listener threw. Unknown
     * until the first list is complete.
     */
    Finding state();

    /**
     * Ends it: once this returns the listener is not called any more, but for a {@link ObjectListener#flush} that has begun.
     * Waits for no request. May be called more than once, and by the listener.
     */
    @Override
    void close();
}
