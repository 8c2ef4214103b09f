package io.fairlead.gateway.guard;

/** Receives the values of a stream of objects in the order of their bytes. Positions count from the stream's first byte. */
interface ValueSink {
    void beginObject(long position);

    void beginArray();

    /**
     * The end of the object or array that began last.
     *
     * @param position behind it
     */
    void end(long position);

    /** Whether the text of the string that begins now is wanted. */
    boolean wantsText(boolean isName);

    /** A member's name; the text is reused after the call. */
    void name(Text text);

    /** A string that is a value; the text is reused after the call. */
    void string(Text text);

    /** {@code null}. */
    void nothing();

    /** A value of another kind: a number, {@code true} or {@code false}. */
    void scalar();
}
