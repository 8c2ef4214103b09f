package io.fairlead.hosted.objects;

import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Write;

/**
 * What must hold from the moment an object of a resource is checked until it is committed.
 *
 * <p>Lock order: a {@link WriteGate} is passed before a guard is entered. Threads: any; a passage is left by the thread that
 * entered.
 */
public interface CommitGuard {
    /** Nothing more than what each write says of its own key. */
    CommitGuard NONE = new CommitGuard() {};

    /**
     * Enters, to check an object and commit it; closing leaves.
     *
     * @throws StaleResourceException if the resource is not served any more as the caller knows it
     */
    default WriteGate.Passage enter() {
        return () -> {};
    }

    /** The same for what was judged by a state of the definition: it opens as long as that is the state, if there is a definition. */
    default CommitGuard judgedBy(DefinitionState state) {
        return this;
    }

    /** Commits a write of an object. */
    default CommitResult commit(RevisionedStore store, Write write) {
        return store.commit(write);
    }
}
