package io.fairlead.http.h2;

import org.jspecify.annotations.Nullable;

/** What uses a session, whatever its side. On its thread. */
public interface Http2Owner {
    /** A stream is over, and will hear no more. */
    void closed(StreamEnd stream);

    /**
     * The peer broke a rule of the connection, which ends: no frame is read any more.
     *
     * @param why what the peer sent, and what was expected
     * @param flood what it sent too much of, if that is the reason
     */
    void broken(String why, @Nullable Flood flood);

    /** The peer has seen everything that was sent before {@link Http2Session#ping()}. */
    void ponged();
}
