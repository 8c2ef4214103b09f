package io.fairlead.hosted.objects;

import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Write;

/**
 * Keeps a condition true from the validation of an object until its commit.
 *
 * <p>Lock order: {@link WriteGate} before guard. Threads: any; the thread that entered must leave.
 */
public interface CommitGuard {
    /** No condition beyond those of each write. */
    CommitGuard NONE = new CommitGuard() {};

    /**
     * Enters, to validate and commit an object; closing leaves.
     *
     * @throws StaleResourceException if the resource is no longer served as the caller knows it
     */
    default WriteGate.Passage enter() {
        return () -> {};
    }

    /**
     * The same for a request judged by a state of the definition: enters only while that state is current, if there is
     * a definition.
     */
    default CommitGuard judgedBy(DefinitionState state) {
        return this;
    }

    /** Commits a write of an object. */
    default CommitResult commit(RevisionedStore store, Write write) {
        return store.commit(write);
    }
}
