package io.fairlead.hosted;

/**
 * A request was judged by a state of its resource's definition that is not the one it would be checked and stored by: the request
 * is to be judged anew. Costs no stack trace, since it is no fault.
 */
public final class DefinitionChangedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DefinitionChangedException() {
        super("the definition is not the one that the request was judged by", null, false, false);
    }
}
