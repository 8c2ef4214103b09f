package io.fairlead.ittests;

/**
 * An operation of a client on one object that holds one value, from its call to its answer. Each write has a value of its own.
 *
 * @param calledNanos when it was sent ({@link System#nanoTime})
 * @param answeredNanos when its answer was there; of no meaning if the outcome is unknown
 * @param version the resourceVersion that a read or a write that was done told; 0 otherwise
 */
record RegisterOperation(long calledNanos, long answeredNanos, Action action, Outcome outcome, long version) {
    /** What a client asks for. */
    sealed interface Action {
        /** Which value it holds. */
        record Read(String seen) implements Action {}

        /** To hold another value if it still holds the expected one: a PUT with the resourceVersion of that. */
        record Replace(String expected, String written) implements Action {}

        /** To hold another value whatever it holds. */
        record Overwrite(String written) implements Action {}
    }

    /** What the answer says. */
    enum Outcome {
        DONE,
        /** It holds another value than the expected one; nothing was written. */
        CONFLICT,
        /** There was no answer: a write has an effect at any time after its call, or never. */
        UNKNOWN
    }

    /** Whether the value may be another one afterwards. */
    boolean isWrite() {
        return outcome != Outcome.CONFLICT && !(action instanceof Action.Read);
    }

    /** The value that it leaves, or that it saw. */
    String value() {
        return switch (action) {
            case Action.Read(String seen) -> seen;
            case Action.Replace(String _, String written) -> written;
            case Action.Overwrite(String written) -> written;
        };
    }
}
