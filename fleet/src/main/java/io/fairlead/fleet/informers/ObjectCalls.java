package io.fairlead.fleet.informers;

import tools.jackson.databind.node.ObjectNode;

/** Those of {@link ClusterCalls} that read and change single objects. Threads: any virtual one; calls block. */
public interface ObjectCalls {
    /**
     * Reads a small document.
     *
     * @param bytesMax of the answer; a larger one is a failure
     */
    byte[] read(String target, int bytesMax) throws CallFailure, InterruptedException;

    /** Creates an object. */
    void post(String target, ObjectNode object) throws CallFailure, InterruptedException;

    /** Replaces an object; a failure of 409 says that it has another {@code resourceVersion} by now. */
    void replace(String target, ObjectNode object) throws CallFailure, InterruptedException;

    /**
     * Deletes an object.
     *
     * @param options a {@code DeleteOptions} of {@code v1}; a failure of 409 says that its preconditions do not hold
     */
    void delete(String target, ObjectNode options) throws CallFailure, InterruptedException;
}
