package io.fairlead.gateway.pin;

/** Whether a type is what a pin says. */
public sealed interface Verdict {
    /** It is. */
    record Kept() implements Verdict {}

    /** It is not, or nobody can say that it is. */
    record Broken(String why) implements Verdict {}

    /** What is known is too old or not there yet, so that it may be or not. */
    record Stale(String why) implements Verdict {}
}
