package io.fairlead.gateway.tracing;

/** Counts spans by what became of them. Any thread; must not block. */
public interface TraceMetrics {
    /** Ignores all calls. */
    TraceMetrics NONE = new TraceMetrics() {};

    /** The collector has taken so many. */
    default void sent(int spans) {}

    /** There was no room for so many. */
    default void dropped(int spans) {}

    /** A caller asked for more traces than it may in a second. */
    default void tooManyAskedFor() {}

    /** The collector has not taken so many, and will not be sent them again. */
    default void failed(int spans) {}
}
