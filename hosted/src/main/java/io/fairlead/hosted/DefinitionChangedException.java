package io.fairlead.hosted;

/**
 * A request was judged by another state of its resource's definition than the one that would validate and store it: the
 * request must be judged anew. Has no stack trace, since it is not a fault.
 */
public final class DefinitionChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DefinitionChangedException() {
        super("the definition is not the one that the request was judged by", null, false, false);
    }
}
