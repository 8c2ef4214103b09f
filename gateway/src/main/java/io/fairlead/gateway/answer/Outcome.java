package io.fairlead.gateway.answer;

/** Observes how a request ends; on its event loop. */
public interface Outcome {
    /** Ignores all calls. */
    Outcome IGNORED = new Outcome() {};

    /** The head of the answer was written. */
    default void answered(int code) {}

    /** This many further events of a watch were written. */
    default void events(int count) {}

    /** The answer is complete, was aborted, or the client is gone; called exactly once. */
    default void over() {}

    /** Calls another observer too, after this one; of the end also if this one throws. */
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
                try {
                    first.over();
                } finally {
                    other.over();
                }
            }
        };
    }
}
