package io.fairlead.http.h2;

/** The server behind a session. On its thread. */
public interface Http2Owner {
    /** The peer begins a request; the first call to the stream is its head. */
    StreamEnd opened();

    /** A stream is over, and will hear no more. */
    void closed(StreamEnd stream);

    /** The peer sent too much of what costs it nothing; the connection ends. */
    void flooded(Flood flood);

    /** The peer has seen everything that was sent before {@link Http2Session#ping()}. */
    void ponged();
}
