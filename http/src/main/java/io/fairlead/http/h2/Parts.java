package io.fairlead.http.h2;

import java.util.function.LongSupplier;

/** What both sides of a connection are made of. */
record Parts(FrameWriter writer, FloodGuard floods, Sending sending) {
    static Parts of(Http2Limits limits, Http2Output output, LongSupplier nanoTime) {
        FrameWriter writer = new FrameWriter(output);
        return new Parts(writer, new FloodGuard(limits, nanoTime), new Sending(writer, output, limits.queueBytesMax()));
    }
}
