package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.Limit;

/** What waits of the answer of an HTTP/2 stream. */
final class Http2Queue implements StalledReader.Queue {
    private final Http2Connection connection;
    private final Http2Stream stream;

    Http2Queue(Http2Connection connection, Http2Stream stream) {
        this.connection = connection;
        this.stream = stream;
    }

    @Override
    public ByteBudget.Holder holder() {
        return stream.holder();
    }

    @Override
    public long bytes() {
        return connection.session().queuedBytes(stream);
    }

    /** What the client reads of other streams counts while they and this one wait for the socket. */
    @Override
    public long progress() {
        long sent = stream.writtenBytes() - bytes();
        return 31 * sent + connection.channel().bytesBeforeWritable();
    }

    @Override
    public boolean mustRead() {
        return !stream.mayWait() && !stream.isWritable();
    }

    @Override
    public void stalled(Limit limit) {
        stream.stalled(limit);
    }
}
