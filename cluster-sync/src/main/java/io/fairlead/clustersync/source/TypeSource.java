package io.fairlead.clustersync.source;

import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The source of the types that one cluster serves: informers on an attached cluster, or a hosted cluster. A watch of
 * metadata with a read of each changed object would fit too.
 */
public interface TypeSource {
    /**
     * The annotation of a CRD that records the controller of its objects: an image's digest, or any other name used by
     * pins.
     */
    String IMPLEMENTATION = "fairlead.io/implementation";

    /** The types of holder that it reports, together. */
    Set<HolderType> types();

    /**
     * Starts to report: for each type first a {@link TypeChange.Complete}, then single changes, in order, one at a
     * time. Failures are reported and retried; nothing is thrown.
     *
     * @param changes must not block for long
     */
    Feed open(Consumer<TypeChange> changes);

    /** A running source. Thread-safe. */
    interface Feed extends AutoCloseable {
        /** Every holder that the source has now; empty while it is incomplete. Never older than the reported state. */
        Optional<Collection<Holder>> recount();

        /** Every holder that the cluster itself has now; empty if it does not answer. Blocks. */
        Optional<Collection<Holder>> ask();

        /**
         * For how many nanoseconds changes of any of the types may have been missed: 0 while a watch reports them,
         * {@link Long#MAX_VALUE} before the first complete list and while the reported state is in doubt.
         */
        long silentNanos();

        /**
         * The reported history has ended: nothing more of it is reported. May be called during a report; never blocks.
         * {@link #restart} begins with the next one.
         */
        void forget();

        /** Lists everything again, over the current connections and credentials. */
        void restart();

        /** The awaited server may be available: a source in back-off tries now. */
        void hurry();

        /** Checks the reported state where no watch confirms it. Returns whether the cluster should be probed. */
        boolean look();

        /**
         * Holders of a type were changed by another path: the reported state is in doubt until the source has received
         * that.
         */
        void doubt(HolderType type);

        /** Reports nothing more once it returns, and releases all resources. */
        @Override
        void close();
    }
}
