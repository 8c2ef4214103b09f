package io.fairlead.fleet.conditions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests of Fairlead's own to a cluster, hosted or attached. Calls block, on virtual threads. */
interface ClusterCalls {
    /** A document; the target is a path with a query. */
    JsonNode get(String target) throws CallFailure, InterruptedException;

    /** Creates an object. */
    void post(String target, ObjectNode object) throws CallFailure, InterruptedException;

    /** A watch. */
    Lines watch(String target) throws CallFailure, InterruptedException;

    /** The events of a watch, for one thread. */
    interface Lines extends AutoCloseable {
        /** The next event, as JSON; null at the end. */
        byte @Nullable [] next() throws CallFailure, InterruptedException;

        @Override
        void close();
    }
}
