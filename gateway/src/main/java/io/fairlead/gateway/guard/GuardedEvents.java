package io.fairlead.gateway.guard;

import io.fairlead.index.history.WatchCursor;
import io.fairlead.index.history.WatchDecision;
import io.fairlead.model.HistoryMode;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A piece of the stream is forwarded as it came, as long as nothing in it goes back; only then is it cut. An event of which
 * the end has not come yet is held back, since what becomes of it may depend on its last byte. What is held is a copy, so
 * that a few bytes do not keep a large buffer. An event for which there is no memory passes while it is read, and if it
 * proves to be one that goes back, the watch ends right after it: the client lists again, as after one that was held.
 */
/**
 * Forwards the events of one watch, and has each of them judged before its last byte is forwarded.
 *
 * <p>One thread, the event loop of the request.
 */
public final class GuardedEvents {
    private static final int SCRATCH_BYTES = 16 * 1024;

    private static final FastThreadLocal<byte[]> SCRATCH = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[SCRATCH_BYTES];
        }
    };

    private enum State {
        JUDGING,

        /** White space behind an event that was left out is left out too. */
        SKIPPING,

        /** The stream cannot be read. */
        UNREADABLE,

        /** The guard was switched off. */
        OFF,

        /** The client was told to list again. */
        ENDED
    }

    /** Receives what the client gets. */
    public interface Client {
        /** Takes ownership. */
        void forward(ByteBuf data);

        /** The watch ends here. */
        void end();

        /** The watch ends within an event. */
        void abort();

        /** Runs a step on the thread of the watch, after what that is doing. */
        void execute(Runnable step);
    }

    private final EventFormat format;
    private final Judge judge;
    private final Supplier<HistoryMode> mode;
    private final HeldBytes memory;
    private final ClusterWatches watches;
    private final Client client;

    private State state;
    private boolean isCountedAsUnguarded;

    /** Whether what the client got last is no white space. */
    private boolean isLineOpen;

    /** Null between two events: a watch is idle for most of its time. */
    private @Nullable EventReader reader;

    /** The position of the first byte of the present piece, as the reader counts; nothing without a reader. */
    private long passed;

    /** The beginning of the event that is not complete, if nothing of it was forwarded. */
    private @Nullable ByteBuf held;

    /**
     * The guard of a watch that has sent nothing yet.
     *
     * @param start by the request
     * @param mode asked again for each event, from {@link HistoryMode#ENFORCE} or {@link HistoryMode#OBSERVE} on; a watch for
     *     which it was once {@link HistoryMode#OFF} stays so
     * @param memory for what is held
     * @param watches of the cluster, among which it is until it is closed
     */
    public GuardedEvents(
            EventFormat format,
            WatchCursor start,
            Supplier<HistoryMode> mode,
            HeldBytes memory,
            ClusterWatches watches,
            Client client) {
        this.format = format;
        this.judge = new Judge(start);
        this.mode = mode;
        this.memory = memory;
        this.watches = watches;
        this.client = client;
        this.state = format == EventFormat.OPAQUE ? State.UNREADABLE : State.JUDGING;
        watches.add(this);
    }

    /** Takes a piece of the stream, and ownership of it. */
    public void accept(ByteBuf data) {
        try {
            switch (state) {
                case JUDGING, SKIPPING -> read(data);
                case UNREADABLE, OFF -> pass(data.retain());
                case ENDED -> {}
            }
        } finally {
            data.release();
        }
        if (state != State.ENDED) {
            count(state == State.UNREADABLE || !judge.isComparable());
        }
    }

    /** The stream ended: what is held was not an event. */
    public void complete() {
        if (state != State.ENDED) {
            forwardHeld();
        }
        close();
    }

    /** Nothing more comes, and nothing more is forwarded. */
    public void close() {
        ByteBuf unsent = held;
        held = null;
        if (unsent != null) {
            memory.giveBack(unsent.readableBytes());
            unsent.release();
        }
        state = State.ENDED;
        count(false);
        watches.remove(this);
    }

    /**
     * Ends the watch: its cluster has another history now, and the client must not go on with this one. From any thread; returns
     * at once.
     *
     * @param why as 410
     */
    void rewound(Status why) {
        client.execute(() -> endRewound(why));
    }

    /** The cluster is not served any more: ends the watch, whatever becomes of events that go back. */
    void withheld(Status why) {
        client.execute(() -> endNow(why));
    }

    private void endRewound(Status why) {
        if (mode.get() == HistoryMode.ENFORCE) {
            endNow(why);
        }
    }

    private void endNow(Status why) {
        boolean isJudging = state == State.JUDGING || state == State.SKIPPING;
        if (isJudging && (reader == null || held != null)) {
            endWith(why);
        } else if (isJudging || state == State.UNREADABLE) {
            state = State.ENDED;
            client.abort(); // Its last event is not complete, or that is not known.
        }
    }

    /** Clients that read line by line find the error in a line of its own, although that of the event before it did not come. */
    private void endWith(Status why) {
        state = State.ENDED;
        ByteBuf error = format.error(why);
        pass(isLineOpen ? Unpooled.wrappedBuffer(format.lineEnd(), error) : error);
        client.end();
    }

    private void pass(ByteBuf data) {
        if (data.isReadable()) {
            isLineOpen = !format.isFiller(data.getByte(data.writerIndex() - 1));
        }
        client.forward(data);
    }

    private void read(ByteBuf data) {
        int unsent = afterFiller(data, data.readerIndex());
        byte[] scratch = SCRATCH.get();
        EventReader events = reader == null ? begin() : reader;
        int bytes = data.readableBytes();
        for (int at = data.readerIndex(); at < data.writerIndex() && state != State.ENDED; at += scratch.length) {
            int length = Math.min(data.writerIndex() - at, scratch.length);
            data.getBytes(at, scratch, 0, length);
            for (int read = 0; read < length && state != State.ENDED; ) {
                read = events.read(scratch, read, length);
                ReadEvent event = events.take();
                if (event != null) {
                    unsent = judged(event, events, data, unsent);
                }
            }
        }
        if (state != State.ENDED) {
            rest(events, data, unsent);
            boolean isBetween = events.begun() < 0;
            passed += bytes;
            reader = isBetween ? null : events;
            if (isBetween) {
                SpareReaders.ofThread().giveBack(format, events);
            }
        }
    }

    private EventReader begin() {
        EventReader events = SpareReaders.ofThread().take(format);
        passed = events.position();
        return events;
    }

    /** What of an event, and before it, needs no event to come; returns where the piece was not dealt with yet. */
    private int judged(ReadEvent event, EventReader events, ByteBuf data, int unsent) {
        WatchDecision decision = judge.judge(event);
        watches.metrics().judged(decision);
        if (decision.action() == WatchDecision.Action.FORWARD || mode.get() != HistoryMode.ENFORCE) {
            return unsent;
        }
        int end = index(event.to(), data);
        boolean beganBefore = event.from() < passed;
        if (beganBefore && held == null) {
            forward(data, unsent, end);
            expire(event, decision);
            return end;
        }
        if (!beganBefore) {
            forward(data, unsent, index(event.from(), data));
            if (state == State.ENDED) { // The client left, or its watch was ended between two events.
                return end;
            }
        }
        ByteBuf whole = whole(event, data, end);
        try {
            act(decision, event, events, whole);
        } finally {
            whole.release();
        }
        return afterFiller(data, end);
    }

    private void act(WatchDecision decision, ReadEvent event, EventReader events, ByteBuf whole) {
        switch (decision.action()) {
            case FORWARD -> pass(whole.retain());
            case FORWARD_WITH_HIGH_WATER -> pass(events.withVersion(whole, event, judge.highWater()));
            case DROP -> state = State.SKIPPING;
            case EXPIRE -> expire(event, decision);
        }
    }

    private void expire(ReadEvent event, WatchDecision decision) {
        endWith(travelled(event, decision));
    }

    private Status travelled(ReadEvent event, WatchDecision decision) {
        String object = event.whole().key().isEmpty() ? "" : " " + event.whole().key();
        String message = "The watch went back in time: " + event.type() + object + " after resourceVersion "
                + judge.highWater() + " (" + decision.text() + "); list again";
        return Status.withCause(410, "Expired", message, "WatchWentBackwards", 0);
    }

    /** All bytes of an event. */
    private ByteBuf whole(ReadEvent event, ByteBuf data, int end) {
        ByteBuf begin = held;
        if (begin == null) {
            int from = index(event.from(), data);
            return data.retainedSlice(from, end - from);
        }
        held = null;
        memory.giveBack(begin.readableBytes());
        try {
            return begin.writeBytes(data, data.readerIndex(), end - data.readerIndex());
        } catch (RuntimeException | Error full) {
            begin.release();
            throw full;
        }
    }

    /** Forwards or holds what follows the last event. Forwarding may end the watch. */
    private void rest(EventReader events, ByteBuf data, int unsent) {
        long begun = events.begun();
        if (begun < 0 || events.isBroken() || mode.get() != HistoryMode.ENFORCE) {
            forward(data, unsent, data.writerIndex());
        } else if (begun >= passed) {
            int from = index(begun, data);
            forward(data, unsent, from);
            hold(data, from);
        } else if (held == null) { // A part of it has passed.
            forward(data, unsent, data.writerIndex());
        } else {
            hold(data, unsent);
        }
        if (state != State.ENDED) {
            state = after(events, begun);
        }
    }

    private State after(EventReader events, long begun) {
        if (events.isBroken()) {
            return State.UNREADABLE;
        }
        return begun < 0 && mode.get() == HistoryMode.OFF ? State.OFF : state;
    }

    private void hold(ByteBuf data, int from) {
        if (state == State.ENDED) {
            return;
        }
        int length = data.writerIndex() - from;
        ByteBuf before = held;
        if (!memory.take(before == null ? 0 : before.readableBytes(), length)) {
            forward(data, from, data.writerIndex());
        } else {
            try {
                held = (before == null ? data.alloc().buffer(length) : before).writeBytes(data, from, length);
            } catch (RuntimeException | Error full) {
                memory.giveBack(length);
                throw full;
            }
        }
    }

    private void forward(ByteBuf data, int from, int to) {
        forwardHeld();
        if (to > from) {
            boolean isWhole = from == data.readerIndex() && to == data.writerIndex();
            pass(isWhole ? data.retain() : data.retainedSlice(from, to - from));
        }
    }

    private void forwardHeld() {
        ByteBuf before = held;
        held = null;
        if (before != null) {
            memory.giveBack(before.readableBytes());
            pass(before);
        }
    }

    private int afterFiller(ByteBuf data, int from) {
        if (state != State.SKIPPING) {
            return from;
        }
        int at = from;
        while (at < data.writerIndex() && format.isFiller(data.getByte(at))) {
            at++;
        }
        if (at < data.writerIndex()) {
            state = State.JUDGING;
        }
        return at;
    }

    private int index(long position, ByteBuf data) {
        return Math.toIntExact(position - passed) + data.readerIndex();
    }

    private void count(boolean isUnguarded) {
        if (isUnguarded != isCountedAsUnguarded) {
            isCountedAsUnguarded = isUnguarded;
            watches.metrics().unguarded(isUnguarded ? 1 : -1);
        }
    }
}
