package io.fairlead.gateway.answer;

/** Hears how a request ended; on its event loop. */
public interface Outcome {
    /** Hears nothing. */
    Outcome IGNORED = new Outcome() {};

    /** The head of the answer was written. */
    default void answered(int code) {}

    /** The answer is complete, was broken off, or the client is gone; exactly once. */
    default void over() {}
}
