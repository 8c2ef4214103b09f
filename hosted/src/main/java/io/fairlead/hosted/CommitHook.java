package io.fairlead.hosted;

import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;

/**
 * Is asked about each object just before it is stored, when nothing else can refuse it any more, and told whether it was: for
 * what must be taken before an object is there and given back if it never will be. {@link AdmissionHook} is for decisions
 * that take nothing.
 *
 * <p>Called for create, update and patch of objects, not of subresources and not for delete. A write that meets another one
 * is computed, and asked about, again. Runs on the request's virtual thread, inside the gates of the write's namespace and
 * definition, and may block briefly.
 */
@FunctionalInterface
public interface CommitHook {
    /** Takes nothing. */
    CommitHook NONE = (_, _) -> Pending.NONE;

    /**
     * Lets the write pass by returning.
     *
     * @param write whose object is as it will be stored; must not be changed
     * @return for the end of the write; nothing may be taken for a dry run
     * @throws StatusException to refuse it with that answer
     */
    Pending before(ClusterName cluster, AdmissionHook.Review write);

    /** A write between the question and its end. For the thread that asked. */
    interface Pending extends AutoCloseable {
        /** Does nothing. */
        Pending NONE = () -> {};

        /** The object is stored. */
        default void committed() {}

        /** The write ended; the object is not stored by it unless {@link #committed} was called. Must not throw. */
        @Override
        void close();
    }
}
