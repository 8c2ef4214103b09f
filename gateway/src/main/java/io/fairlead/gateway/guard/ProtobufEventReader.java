package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.gateway.guard.WireMessage.WireText;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * A frame is four bytes with the length of a WatchEvent, and the event. Whatever is wrong within a frame, the next one begins
 * where the length says, so that such a stream is never broken; the event is not clear then.
 *
 * Messages on the way to the resourceVersion are kept with the places of their lengths, all of which change with the length of
 * the version.
 */
/**
 * Events in Kubernetes' protobuf (apimachinery {@code runtime/serializer/protobuf}). Only the event that was read last can be
 * rewritten.
 */
final class ProtobufEventReader implements EventReader {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int FRAME_LENGTH_BYTES = 4;
    private static final int VARINT_BITS_MAX = 63;

    /** A negative value takes ten bytes. */
    private static final int VALUE_BITS_MAX = 70;

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;

    private enum State {
        FRAME_LENGTH,
        MAGIC,
        KEY,
        LENGTH,
        VALUE,
        TEXT,
        SKIP
    }

    /**
     * A message that has begun.
     *
     * @param from where its length begins
     * @param to where its length ends
     * @param end where it ends
     */
    private record Open(WireMessage message, long from, long to, long end) {
        long length() {
            return end - to;
        }
    }

    private final List<Open> open = new ArrayList<>();
    private final Set<WireMessage> messages = EnumSet.noneOf(WireMessage.class);
    private final Set<WireText> texts = EnumSet.noneOf(WireText.class);
    private final Text text = new Text();
    private State state = State.FRAME_LENGTH;
    private long position;

    /** The number that is being read, and how many bits or bytes of it there are. */
    private long number;

    private int bits;

    /** Where the present text, or what is left out, ends. */
    private long until;

    /** Where the present number begins. */
    private long began;

    /** Where the length of the present text begins. */
    private long textLength;

    private int field;
    private long frameFrom;
    private long frameEnd;
    private String type = "";
    private String name = "";
    private String namespace = "";
    private String version = "";
    private long versionFrom;
    private long versionTo;

    /** Where the length of the version begins. */
    private long versionLength;

    /** The messages around the version. */
    private List<Open> path = List.of();

    private boolean endsInitialEvents;
    private boolean isClear;
    private @Nullable ReadEvent complete;

    @Override
    public int read(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && complete == null) {
            int before = at;
            at = switch (state) {
                case TEXT, SKIP -> run(bytes, at, to);
                case FRAME_LENGTH, MAGIC, KEY, LENGTH, VALUE -> {
                    step(bytes[at]);
                    yield at + 1;
                }
            };
            position += at - before;
            settle();
        }
        return at;
    }

    @Override
    public @Nullable ReadEvent take() {
        ReadEvent taken = complete;
        complete = null;
        return taken;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long begun() {
        return state == State.FRAME_LENGTH && bits == 0 ? -1 : frameFrom;
    }

    @Override
    public boolean isBroken() {
        return false;
    }

    @Override
    public ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion newVersion) {
        byte[] digits = newVersion.digits().getBytes(US_ASCII);
        List<byte[]> lengths = new ArrayList<>();
        long growth = digits.length - (versionTo - versionFrom);
        byte[] ofText = varint(digits.length);
        growth += ofText.length - (versionFrom - versionLength);
        for (Open each : path.reversed()) {
            byte[] length = varint(each.length() + growth);
            lengths.addFirst(length);
            growth += length.length - (each.to() - each.from());
        }
        ByteBuf rewritten = event.alloc().buffer(event.readableBytes() + Math.toIntExact(growth));
        rewritten.writeInt(Math.toIntExact(read.to() - read.from() - FRAME_LENGTH_BYTES + growth));
        long copied = read.from() + FRAME_LENGTH_BYTES;
        for (int i = 0; i < path.size(); i++) {
            copy(event, read, copied, path.get(i).from(), rewritten);
            rewritten.writeBytes(lengths.get(i));
            copied = path.get(i).to();
        }
        copy(event, read, copied, versionLength, rewritten);
        rewritten.writeBytes(ofText).writeBytes(digits);
        copy(event, read, versionTo, read.to(), rewritten);
        return rewritten;
    }

    private static void copy(ByteBuf event, ReadEvent read, long from, long to, ByteBuf into) {
        into.writeBytes(event, event.readerIndex() + Math.toIntExact(from - read.from()), Math.toIntExact(to - from));
    }

    private static byte[] varint(long number) {
        byte[] bytes = new byte[Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 6) / 7)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (((number >>> (7 * i)) & 0x7f) | (i < bytes.length - 1 ? 0x80 : 0));
        }
        return bytes;
    }

    private int run(byte[] bytes, int from, int to) {
        int end = (int) Math.min(to, from + (until - position));
        if (state == State.TEXT) {
            text.append(bytes, from, end);
        }
        return end;
    }

    /** Reads a byte of a number or of the mark; {@code position} is where it stands. */
    private void step(byte b) {
        switch (state) {
            case FRAME_LENGTH -> frameLength(b);
            case MAGIC -> magic(b);
            case KEY, LENGTH, VALUE -> {
                if (bits >= (state == State.VALUE ? VALUE_BITS_MAX : VARINT_BITS_MAX)) {
                    giveUp();
                    return;
                }
                number |= (b & 0x7fL) << bits;
                bits += 7;
                if (b >= 0) {
                    numberEnds();
                }
            }
            case TEXT, SKIP -> throw new IllegalStateException(state.name());
        }
    }

    private void frameLength(byte b) {
        if (bits == 0) {
            frameFrom = position;
            number = 0;
        }
        number = (number << 8) | (b & 0xff);
        bits += Byte.SIZE;
        if (bits == FRAME_LENGTH_BYTES * Byte.SIZE) {
            begin(position + 1, number);
        }
    }

    private void begin(long from, long length) {
        frameEnd = from + length;
        messages.clear();
        texts.clear();
        open.clear();
        path = List.of();
        type = "";
        name = "";
        namespace = "";
        version = "";
        text.begin(from);
        text.end(from);
        endsInitialEvents = false;
        isClear = true;
        open.add(new Open(WireMessage.WATCH_EVENT, frameFrom, from, frameEnd));
        expect(State.KEY);
    }

    private void magic(byte b) {
        if (b != MAGIC[bits++]) {
            giveUp();
        } else if (bits == MAGIC.length) {
            expect(State.KEY);
        }
    }

    private void numberEnds() {
        switch (state) {
            case KEY -> key();
            case LENGTH -> length(position + 1);
            default -> expect(State.KEY);
        }
    }

    private void key() {
        field = (int) Math.min(Integer.MAX_VALUE, number >>> 3);
        WireMessage in = open.getLast().message();
        int wireType = (int) (number & 7);
        if (wireType != DELIMITED && (in.message(field) != null || in.text(field) != null)) {
            isClear = false;
        }
        switch (wireType) {
            case VARINT -> expect(State.VALUE);
            case FIXED64 -> skip(position + 1 + Long.BYTES);
            case DELIMITED -> expect(State.LENGTH);
            case FIXED32 -> skip(position + 1 + Integer.BYTES);
            default -> giveUp();
        }
    }

    private void length(long from) {
        Open in = open.getLast();
        if (number > in.end() - from) {
            giveUp();
            return;
        }
        WireMessage message = in.message().message(field);
        WireText read = in.message().text(field);
        if (message != null) {
            if (!messages.add(message) && !message.isRepeated()) {
                isClear = false;
            }
            open.add(new Open(message, began, from, from + number));
            expect(message == WireMessage.ENVELOPE ? State.MAGIC : State.KEY);
        } else if (read != null) {
            if (!texts.add(read) && read != WireText.ANNOTATION_KEY) {
                isClear = false;
            }
            text.begin(from);
            textLength = began;
            until = from + number;
            expect(State.TEXT);
        } else {
            skip(from + number);
        }
    }

    private void skip(long end) {
        if (end > open.getLast().end()) {
            giveUp();
        } else {
            until = end;
            expect(State.SKIP);
        }
    }

    /** Leaves out the rest of the frame. */
    private void giveUp() {
        isClear = false;
        while (open.size() > 1) {
            open.removeLast();
        }
        until = frameEnd;
        expect(State.SKIP);
    }

    private void expect(State next) {
        state = next;
        number = 0;
        bits = 0;
    }

    /** Ends what ends at the present position. */
    private void settle() {
        if (state == State.TEXT && position == until) {
            text.end(position);
            take(open.getLast().message());
            expect(State.KEY);
        } else if (state == State.SKIP && position == until) {
            expect(State.KEY);
        }
        if (state == State.FRAME_LENGTH) {
            return;
        }
        while (!open.isEmpty() && position >= open.getLast().end()) {
            close();
        }
        if (state != State.FRAME_LENGTH && bits == 0) {
            began = position;
        }
    }

    private void close() {
        Open ended = open.removeLast();
        if (state != State.KEY || bits > 0) {
            isClear = false;
        }
        if (open.isEmpty()) {
            complete = event();
            expect(State.FRAME_LENGTH);
        } else if (position > ended.end()) {
            giveUp();
        } else {
            expect(State.KEY);
        }
    }

    private void take(WireMessage in) {
        WireText read = in.text(field);
        if (read == null) {
            return;
        }
        switch (read) {
            case TYPE -> type = text.toString();
            case NAME -> name = text.toString();
            case NAMESPACE -> namespace = text.toString();
            case RESOURCE_VERSION -> {
                version = text.toString();
                versionLength = textLength;
                versionFrom = text.from();
                versionTo = text.to();
                path = List.copyOf(open.subList(1, open.size()));
            }
            case CONTENT_ENCODING, CONTENT_TYPE -> isClear &= text.from() == text.to();
            case ANNOTATION_KEY -> endsInitialEvents |= Member.INITIAL_EVENTS_END.isNamed(text);
        }
        isClear &= text.isPlain() || read == WireText.ANNOTATION_KEY || read == WireText.RESOURCE_VERSION;
    }

    private ReadEvent event() {
        String key = name.isEmpty() || namespace.isEmpty() ? name : namespace + "/" + name;
        return new ReadEvent(
                WatchEventType.of(type, endsInitialEvents),
                new ReadVersion(key, version, versionFrom, versionTo),
                List.of(),
                isClear,
                frameFrom,
                frameEnd);
    }
}
