package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.model.HistoryMode;
import io.fairlead.model.Status;
import io.fairlead.testkit.Footprint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** A guarded watch: what its client got, and what was counted. */
final class GuardedStream implements GuardedEvents.Client, GuardMetrics {
    static final HeldBytes PLENTY = HeldBytes.of(1 << 20, 1 << 20);

    final List<WatchDecision> decisions = new ArrayList<>();
    HistoryMode mode = HistoryMode.ENFORCE;
    int unguarded;
    boolean ended;
    boolean aborted;

    /** After so many pieces the client leaves; never if it is 0. */
    int closesAfter;

    private final ClusterWatches watches = new ClusterWatches(this);
    private final StringBuilder forwarded = new StringBuilder();
    private final GuardedEvents events;

    GuardedStream(String contentType, WatchCursor start, HeldBytes memory) {
        events = new GuardedEvents(EventFormat.of(contentType, ""), start, () -> mode, memory, watches, this);
    }

    static GuardedStream json(String resourceVersion) {
        return new GuardedStream("application/json", WatchCursor.of(resourceVersion, false), PLENTY);
    }

    GuardedStream accept(byte[] bytes) {
        events.accept(Unpooled.copiedBuffer(bytes));
        return this;
    }

    GuardedStream accept(String bytes) {
        return accept(bytes.getBytes(ISO_8859_1));
    }

    /** In pieces of a length. */
    GuardedStream acceptBy(int length, String bytes) {
        for (int at = 0; at < bytes.length(); at += length) {
            accept(bytes.substring(at, Math.min(bytes.length(), at + length)));
        }
        return this;
    }

    String complete() {
        events.complete();
        return forwarded.toString();
    }

    void close() {
        events.close();
    }

    /** What the guard takes, without what all guards share. */
    long bytes() {
        return Footprint.bytes(events, this, PLENTY, watches);
    }

    String forwarded() {
        return forwarded.toString();
    }

    @Override
    public void forward(ByteBuf data) {
        if (ended) {
            throw new AssertionError("forwarded after the end: " + data.toString(ISO_8859_1));
        }
        forwarded.append(data.readCharSequence(data.readableBytes(), ISO_8859_1)); // as a connection does
        data.release();
        if (closesAfter-- == 1) {
            events.close();
        }
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void abort() {
        aborted = true;
    }

    @Override
    public void execute(Runnable step) {
        step.run();
    }

    /** The cluster proves to have another history. */
    GuardedStream rewound() {
        watches.rewound(Status.of(410, "Expired", "rewound"));
        return this;
    }

    @Override
    public void judged(WatchDecision decision) {
        decisions.add(decision);
    }

    @Override
    public void unguarded(int change) {
        unguarded += change;
    }
}
