package io.fairlead.gateway.answer;

import io.fairlead.http.MutableFields;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;

/** The trace of a request: observes where the request waits. On the request's event loop. */
public interface Trace extends Outcome {
    /** Ignores all calls: that of a request which is not traced. */
    Trace NONE = new Trace() {};

    /** What a request can wait for. */
    enum Stage {
        /** The issuer, or the cluster, that says whose a token is. */
        AUTHENTICATE,
        /** The first line in the audit log. */
        RECORD,
        /** The answer whether the caller may enter the cluster, and a cluster that is being opened. */
        ENTER,
        /** The answer whether the caller may be another user. */
        IMPERSONATE,
        /** A seat among the short calls. */
        QUEUE,
        /** The index, while it is not known what the cluster serves. */
        ROUTE
    }

    /** The caller is known. */
    default void callerIsKnown(CallerName caller) {}

    /** The caller may enter this cluster. */
    default void enters(ClusterName cluster) {}

    /** The request waits, until {@link #goesOn} or the end of its answer. */
    default void waits(Stage stage) {}

    /** The request waits no more; of no effect if it did not. */
    default void goesOn() {}

    /** The request goes to an API server, which waits until {@link #answered}; its headers are told of the trace. */
    default void forwards(MutableFields headers) {}
}
