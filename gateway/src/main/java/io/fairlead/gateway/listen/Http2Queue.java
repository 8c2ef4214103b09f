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
    public ByteBudget.Holder reader() {
        return stream.reader();
    }

    @Override
    public boolean isFull() {
        return !stream.isWritable();
    }

    @Override
    public long bytes() {
        return connection.session().queuedBytes(stream);
    }

    @Override
    public long bytesAhead() {
        return connection.queuedBytes(stream);
    }

    @Override
    public void stalled(Limit limit) {
        stream.stalled(limit);
    }
}
