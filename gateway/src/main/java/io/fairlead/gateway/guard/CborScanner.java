package io.fairlead.gateway.guard;

import java.util.ArrayList;
import java.util.List;

/*
 * Kubernetes writes names and texts as byte strings, and reads text strings too (apimachinery
 * runtime/serializer/cbor/internal/modes). Both are texts here. It never writes strings in parts: where such a one would count,
 * the event is not clear. The position of a text is that of its head, which has its length.
 */
/** Reads concatenated CBOR maps (RFC 8949, RFC 8742) piece by piece, wherever they are cut. One thread. */
final class CborScanner implements ValueScanner {
    /** How deep values may be nested, as in the decoder of Kubernetes. */
    static final int DEPTH_MAX = 64;

    private static final int MAJOR_SHIFT = 5;
    private static final int INFORMATION = 0x1f;
    private static final int IN_ONE_BYTE = 24;
    private static final int IN_EIGHT_BYTES = 27;
    private static final int INDEFINITE = 31;
    private static final int NULL = 22;
    private static final int UNDEFINED = 23;

    private static final int POSITIVE = 0;
    private static final int NEGATIVE = 1;
    private static final int BYTES = 2;
    private static final int TEXT = 3;
    private static final int ARRAY = 4;
    private static final int MAP = 5;
    private static final int TAG = 6;
    private static final int SIMPLE = 7;

    private enum State {
        BETWEEN,
        HEAD,
        ARGUMENT,
        STRING,
        BROKEN
    }

    /** An open map, array, or string in parts. */
    private static final class Open {
        private final int major;

        /** Values to come, where names count too; negative if a break ends it. */
        private long left;

        private boolean isNameNext;

        Open(int major, long left) {
            this.major = major;
            this.left = left;
            this.isNameNext = major == MAP;
        }

        boolean isString() {
            return major == BYTES || major == TEXT;
        }
    }

    private final ValueSink sink;
    private final Text text = new Text();
    private final List<Open> open = new ArrayList<>();
    private State state = State.BETWEEN;
    private long passed;
    private long objectFrom;

    /** Where the present value begins, with its tags. */
    private long began;

    private int major;
    private int information;
    private int argumentBytes;
    private long argument;
    private boolean isWanted;

    /** Whether a tag came right before. */
    private boolean isTagged;

    CborScanner(ValueSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean isBroken() {
        return state == State.BROKEN;
    }

    @Override
    public long position() {
        return passed;
    }

    @Override
    public long begun() {
        return state == State.BETWEEN ? -1 : objectFrom;
    }

    @Override
    public int read(byte[] bytes, int from, int to) {
        int at = from;
        boolean ended = false;
        while (at < to && !ended && state != State.BROKEN) {
            int before = at;
            if (state == State.STRING) {
                at += (int) Math.min(argument, to - at);
                if (isWanted) {
                    text.append(bytes, before, at);
                }
                argument -= at - before;
                passed += at - before;
            } else {
                at++;
                passed++;
                step(bytes[before] & 0xff);
            }
            if (state == State.STRING && argument == 0) {
                endString();
            }
            ended = open.isEmpty() && state == State.HEAD && !isTagged;
            if (ended) {
                state = State.BETWEEN;
            }
        }
        if (state == State.BROKEN) {
            return to;
        }
        return at;
    }

    private void step(int b) {
        if (state == State.ARGUMENT) {
            argument = (argument << Byte.SIZE) | b;
            if (--argumentBytes == 0) {
                value();
            }
            return;
        }
        if (!isTagged) {
            began = passed - 1;
        }
        if (state == State.BETWEEN) {
            objectFrom = began;
        }
        major = b >> MAJOR_SHIFT;
        information = b & INFORMATION;
        argument = information;
        if (information < IN_ONE_BYTE || information == INDEFINITE) {
            value();
        } else if (information <= IN_EIGHT_BYTES) {
            state = State.ARGUMENT;
            argument = 0;
            argumentBytes = 1 << (information - IN_ONE_BYTE);
        } else {
            state = State.BROKEN;
        }
    }

    /** The head of a value is complete. */
    private void value() {
        state = State.HEAD;
        isTagged = major == TAG && information != INDEFINITE;
        if (isTagged) {
            return;
        }
        boolean isString = major == BYTES || major == TEXT;
        boolean hasLength = isString || major == ARRAY || major == MAP;
        if ((open.isEmpty() && major != MAP) || (hasLength && argument < 0) || !isAllowedHere(isString)) {
            state = State.BROKEN;
            return;
        }
        switch (major) {
            case POSITIVE, NEGATIVE -> scalar(information == INDEFINITE);
            case BYTES, TEXT -> beginString();
            case ARRAY, MAP -> begin();
            case SIMPLE -> simple();
            default -> state = State.BROKEN; // A tag of no length.
        }
    }

    private boolean isAllowedHere(boolean isString) {
        if (open.isEmpty()) {
            return true;
        }
        Open in = open.getLast();
        boolean isBreak = major == SIMPLE && information == INDEFINITE;
        if (in.isString()) {
            return isBreak || (major == in.major && information != INDEFINITE);
        }
        return isBreak || !in.isNameNext || isString;
    }

    private void scalar(boolean isBroken) {
        if (isBroken) {
            state = State.BROKEN;
        } else {
            sink.scalar();
            ended();
        }
    }

    private void simple() {
        if (information == INDEFINITE) {
            breaks();
        } else if (information == NULL || information == UNDEFINED) {
            sink.nothing();
            ended();
        } else {
            scalar(false);
        }
    }

    private void breaks() {
        Open in = open.getLast();
        if (in.left >= 0 || (in.major == MAP && !in.isNameNext)) {
            state = State.BROKEN;
        } else if (in.isString()) {
            open.removeLast();
            text.escape();
            text.end(passed);
            tell();
        } else {
            open.removeLast();
            sink.end(passed);
            ended();
        }
    }

    private void begin() {
        boolean isIndefinite = information == INDEFINITE;
        if (open.size() == DEPTH_MAX || argument > Integer.MAX_VALUE) {
            state = State.BROKEN;
            return;
        }
        open.add(new Open(major, isIndefinite ? -1 : major == MAP ? 2 * argument : argument));
        if (major == MAP) {
            sink.beginObject(began);
        } else {
            sink.beginArray();
        }
        endFull();
    }

    private void beginString() {
        Open in = open.getLast();
        if (!in.isString()) {
            isWanted = sink.wantsText(in.isNameNext);
            text.begin(passed - headBytes());
        }
        if (information == INDEFINITE) {
            open.add(new Open(major, -1));
        } else {
            state = State.STRING;
        }
    }

    private int headBytes() {
        return information < IN_ONE_BYTE || information == INDEFINITE ? 1 : 1 + (1 << (information - IN_ONE_BYTE));
    }

    private void endString() {
        state = State.HEAD;
        if (!open.getLast().isString()) {
            text.end(passed);
            tell();
        }
    }

    private void tell() {
        if (open.getLast().isNameNext) {
            sink.name(text);
        } else {
            sink.string(text);
        }
        ended();
    }

    /** A name or a value ended. */
    private void ended() {
        if (open.isEmpty()) {
            return;
        }
        Open in = open.getLast();
        if (in.major == MAP) {
            in.isNameNext = !in.isNameNext;
        }
        if (in.left > 0) {
            in.left--;
        }
        endFull();
    }

    private void endFull() {
        if (!open.isEmpty() && open.getLast().left == 0) {
            open.removeLast();
            sink.end(passed);
            ended();
        }
    }
}
