package io.fairlead.gateway.answer;

/** Hears how a request ended; on its event loop. */
public interface Outcome {
    /** Hears nothing. */
    Outcome IGNORED = new Outcome() {};

    /** The head of the answer was written. */
    default void answered(int code) {}

    /** So many further events of a watch were written. */
    default void events(int count) {}

    /** The answer is complete, was broken off, or the client is gone; exactly once. */
    default void over() {}

    /** Tells another one too, behind this one. */
    default Outcome and(Outcome other) {
        Outcome first = this;
        return new Outcome() {
            @Override
            public void answered(int code) {
                first.answered(code);
                other.answered(code);
            }

            @Override
            public void events(int count) {
                first.events(count);
                other.events(count);
            }

            @Override
            public void over() {
                first.over();
                other.over();
            }
        };
    }
}
