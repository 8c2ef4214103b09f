package io.fairlead.http.h2;

/** The server behind a {@link ServerSession}. On its thread. */
public interface ServerOwner extends Http2Owner {
    /** The peer begins a request; the first call to the stream is its head. */
    StreamEnd opened();
}
