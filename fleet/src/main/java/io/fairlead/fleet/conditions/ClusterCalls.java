package io.fairlead.fleet.conditions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Requests of Fairlead's own to a cluster, hosted or attached. Calls block, on virtual threads. */
interface ClusterCalls {
    /** Asks for a document, and waits until the answer begins; the target is a path with a query. */
    Document ask(String target) throws CallFailure, InterruptedException;

    /** Creates an object. */
    void post(String target, ObjectNode object) throws CallFailure, InterruptedException;

    /** A watch. */
    Lines watch(String target) throws CallFailure, InterruptedException;

    /** One that was asked for, of which little takes memory before it is read. */
    interface Document extends AutoCloseable {
        /** The whole as JSON, once. */
        byte[] read() throws CallFailure, InterruptedException;

        @Override
        void close();
    }

    /** The events of a watch, for one thread. */
    interface Lines extends AutoCloseable {
        /** The next event, as JSON; null at the end. */
        byte @Nullable [] next() throws CallFailure, InterruptedException;

        @Override
        void close();
    }
}
