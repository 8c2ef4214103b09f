package io.fairlead.hosted.verbs;

/**
 * A resource's definition has changed since the resource was looked up: nothing was written, and what is wanted is to be
 * worked out anew. Costs no stack trace, since it is no fault.
 */
public final class StaleResourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleResourceException() {
        super("the definition has changed", null, false, false);
    }
}
