package io.fairlead.fleet.informers;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests of Fairlead's own to a cluster, hosted or attached. What the cluster refuses, or does not answer in time, is a
 * {@link CallFailure}; so is every change ({@code ClusterIdentityMoved}) while an attached cluster is another one than before
 * and nobody has confirmed that it is meant.
 *
 * <p>A target is a path, which maybe has a query; who makes one of what a cluster says must see to it that it leads nowhere
 * else. Threads: any virtual one; calls block.
 */
public interface ClusterCalls extends ObjectCalls {
    /** Asks for a document, and waits until the answer begins. */
    Document ask(String target) throws CallFailure, InterruptedException;

    /**
     * Asks whether somebody has a right. Since this changes nothing, a cluster is asked that takes no changes.
     *
     * @param subjectAccessReview a {@code SubjectAccessReview} of {@code authorization.k8s.io/v1}
     * @return the same with its {@code status}, as the cluster answers
     */
    ObjectNode review(ObjectNode subjectAccessReview) throws CallFailure, InterruptedException;

    /** A watch. */
    Lines watch(String target) throws CallFailure, InterruptedException;

    /** One that was asked for, of which little takes memory before it is read. */
    interface Document extends AutoCloseable {
        /** The whole as JSON, once. */
        byte[] read() throws CallFailure, InterruptedException;

        @Override
        void close();
    }

    /** The events of a watch, for one thread; another one may close it, which ends a read. */
    interface Lines extends AutoCloseable {
        /** The next event, as JSON; null at the end. */
        byte @Nullable [] next() throws CallFailure, InterruptedException;

        @Override
        void close();
    }
}
