package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Work;

/** What a function does with arguments of any types, none of them an error. */
@FunctionalInterface
public interface Function {
    /**
     * The result, which may be an error; {@link io.fairlead.schema.cel.value.CelError#NO_SUCH_OVERLOAD} if it takes no such
     * arguments.
     *
     * @param arguments the receiver first, if it has one
     */
    Object call(Object[] arguments, Work work);
}
