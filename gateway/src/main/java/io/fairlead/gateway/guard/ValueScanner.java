package io.fairlead.gateway.guard;

/** Reads the objects of a stream piece by piece, wherever they are cut, and passes what is in them to a {@link ValueSink}. */
interface ValueScanner {
    /**
     * Reads up to the end of an object that is in no other.
     *
     * @return the index behind the last byte that was read: of an end, or {@code to}; also {@code to} once it is broken
     */
    int read(byte[] bytes, int from, int to);

    /** Whether the stream so far is not in its format; nothing more can be read then. */
    boolean isBroken();

    /** The position of the next byte. */
    long position();

    /** Where the present object, which is in no other, begins; negative if none does. */
    long begun();
}
