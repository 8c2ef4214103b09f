package io.fairlead.http.h2;

import io.netty.buffer.ByteBuf;

/** The connection below a session. On its thread. */
public interface Http2Output {
    /** A buffer to write to, with room for what is expected. */
    ByteBuf buffer(int bytesExpected);

    /** Sends behind what was written before; takes ownership. */
    void write(ByteBuf bytes);

    /** Something is to be sent: calls {@link Http2Session#flush()} at the end of this turn of the loop. */
    void flushSoon();

    /** Whether little enough waits for the peer to read it. */
    boolean isWritable();

    /** Nothing more is sent or read: closes once everything that was written is sent. */
    void close();
}
