package io.fairlead.hosted.verbs;

/**
 * A resource's definition has changed since the look-up of the resource: nothing was written, and the write must be
 * computed again. Has no stack trace, since it is not a fault.
 */
public final class StaleResourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleResourceException() {
        super("the definition has changed", null, false, false);
    }
}
