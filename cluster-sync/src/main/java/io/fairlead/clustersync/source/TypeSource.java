package io.fairlead.clustersync.source;

import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where the types that one cluster serves are learnt from: informers over an attached cluster, or a hosted cluster. A watch
 * of metadata with a look at each object that changed fits behind it as well.
 */
public interface TypeSource {
    /** The annotation of a CRD that records what acts on its objects: an image's digest, or whatever else pins name. */
    String IMPLEMENTATION = "fairlead.io/implementation";

    /** The types of holder that it tells of, together. */
    Set<HolderType> types();

    /**
     * Begins to tell: for each type first a {@link TypeChange.Complete}, then single changes, in order, one at a time. Failures
     * are told and recovered from; nothing is thrown.
     *
     * @param changes must not block for long
     */
    Feed open(Consumer<TypeChange> changes);

    /** A source that is being listened to. Thread-safe. */
    interface Feed extends AutoCloseable {
        /** Every holder as the source has it now; empty while it is not complete. Never an older state than was told. */
        Optional<Collection<Holder>> recount();

        /** Every holder as the cluster itself has it now; empty if it does not say. Blocks. */
        Optional<Collection<Holder>> ask();

        /**
         * For how many nanoseconds changes of any of the types may have gone unheard: 0 while they are heard as they happen, {@link
         * Long#MAX_VALUE} before the first complete list and while what was told is in doubt.
         */
        long silentNanos();

        /** Lists everything anew, over connections and credentials as they are now. */
        void restart();

        /** What the source waits for may be there: if it waits before another attempt, it tries now. */
        void hurry();

        /** Looks whether what was told still holds where that cannot be heard. Returns whether the cluster should be looked for. */
        boolean look();

        /** Holders of a type were changed by something else: what was told is in doubt until the source has heard of that. */
        void doubt(HolderType type);

        /** Tells nothing more once it returns, and lets everything go. */
        @Override
        void close();
    }
}
