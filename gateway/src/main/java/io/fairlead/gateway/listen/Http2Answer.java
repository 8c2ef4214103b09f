package io.fairlead.gateway.listen;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.MutableFields;

/** An answer that goes out as frames of an HTTP/2 stream, as long as it announced to be. */
final class Http2Answer {
    private final boolean bodiless;
    private final long announced;
    private long written;

    private Http2Answer(boolean bodiless, long announced) {
        this.bodiless = bodiless;
        this.announced = announced;
    }

    /** @param toHead whether it answers a HEAD, so that its length is not its own */
    static Http2Answer of(int status, MutableFields headers, boolean toHead) {
        String length = headers.get(FieldName.CONTENT_LENGTH);
        boolean bodiless = toHead || HttpStatus.hasNoBody(status);
        return new Http2Answer(bodiless, length == null || bodiless ? Received.LENGTH_UNKNOWN : Long.parseLong(length));
    }

    /** Whether no body belongs to it, whatever is handed in as one. */
    boolean isBodiless() {
        return bodiless;
    }

    /** Whether more was announced than was written. */
    boolean isShort() {
        return announced > written;
    }

    /** Whether what was written is as long as was announced. */
    boolean isAsAnnounced() {
        return announced == Received.LENGTH_UNKNOWN || written == announced;
    }

    long written() {
        return written;
    }

    /** A piece of the body is written. */
    void wrote(int bytes) {
        written += bytes;
    }
}
