package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads a chunked body (RFC 9112 section 7.1), strictly: sizes are plain hexadecimal, lines end with CR LF, chunk
 * extensions and trailers are valid, bounded and dropped.
 */
public final class ChunkedBody {
    private static final int SIZE_DIGITS_MAX = 15;
    private static final int LINE_BYTES_MAX = 4096;
    private static final int TRAILER_BYTES_MAX = 8192;

    private State state = State.SIZE;
    private long remaining;
    private int trailerBytes;

    public boolean isDone() {
        return state == State.DONE;
    }

    /** The next piece of data, retained; null if more bytes are needed or the body is complete. */
    @Nullable
    public ByteBuf next(ByteBuf in) throws Malformed {
        while (state != State.DONE) {
            if (state == State.DATA) {
                return data(in);
            }
            if (!line(in)) {
                return null;
            }
        }
        return null;
    }

    private @Nullable ByteBuf data(ByteBuf in) {
        int length = (int) Math.min(remaining, in.readableBytes());
        if (length == 0) {
            return null;
        }
        remaining -= length;
        state = remaining == 0 ? State.DATA_END : State.DATA;
        return in.readRetainedSlice(length);
    }

    /** Reads one line, if it is complete. */
    private boolean line(ByteBuf in) throws Malformed {
        int lineFeed = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        int length = (lineFeed < 0 ? in.writerIndex() : lineFeed) - in.readerIndex();
        if (length > LINE_BYTES_MAX) {
            throw Malformed.of(Rule.CHUNK, "chunked body: expected lines of at most " + LINE_BYTES_MAX + " bytes");
        }
        if (lineFeed < 0) {
            return false;
        }
        if (length == 0 || in.getByte(lineFeed - 1) != '\r') {
            throw Malformed.of(Rule.CHUNK, "chunked body: expected each line to end with CR LF");
        }
        ByteBuf line = in.readSlice(length - 1);
        in.skipBytes(2);
        understand(line);
        return true;
    }

    private void understand(ByteBuf line) throws Malformed {
        switch (state) {
            case SIZE -> {
                remaining = size(line);
                state = remaining == 0 ? State.TRAILERS : State.DATA;
            }
            case DATA_END -> {
                if (line.isReadable()) {
                    throw Malformed.of(Rule.CHUNK, "chunked body: expected CR LF behind a chunk's data");
                }
                state = State.SIZE;
            }
            case TRAILERS -> {
                trailerBytes += line.readableBytes();
                if (trailerBytes > TRAILER_BYTES_MAX) {
                    throw Malformed.of(
                            Rule.TRAILER_BYTES, "trailers: expected at most " + TRAILER_BYTES_MAX + " bytes");
                }
                if (line.isReadable()) {
                    requireField(line);
                } else {
                    state = State.DONE;
                }
            }
            case DATA, DONE -> throw new IllegalStateException(state.toString());
        }
    }

    private static long size(ByteBuf line) throws Malformed {
        int digits = 0;
        long size = 0;
        while (digits < line.readableBytes()) {
            byte c = line.getByte(line.readerIndex() + digits);
            if (c == ';') {
                break;
            }
            int digit = c < 0 ? -1 : Character.digit(c, 16);
            if (digit < 0 || digits >= SIZE_DIGITS_MAX) {
                throw Malformed.of(
                        Rule.CHUNK, "chunk size: expected at most " + SIZE_DIGITS_MAX + " hexadecimal digits");
            }
            size = size * 16 + digit;
            digits++;
        }
        if (digits == 0) {
            throw Malformed.of(Rule.CHUNK, "chunk size: expected hexadecimal digits");
        }
        requireExtensions(line, digits);
        return size;
    }

    /** {@code ";" token [ "=" ( token / quoted-string ) ]} any number of times (section 7.1.1), without white space. */
    private static void requireExtensions(ByteBuf line, int from) throws Malformed {
        int at = line.readerIndex() + from;
        while (at < line.writerIndex()) {
            int name = at + 1;
            int nameEnd = endOfToken(line, name);
            boolean hasValue = nameEnd < line.writerIndex() && line.getByte(nameEnd) == '=';
            int value = nameEnd + 1;
            at = hasValue ? endOfValue(line, value) : nameEnd;
            boolean isWhole = nameEnd > name && (!hasValue || at > value);
            if (!isWhole || (at < line.writerIndex() && line.getByte(at) != ';')) {
                throw Malformed.of(Rule.CHUNK, "chunk extension: expected names and values of token characters");
            }
        }
    }

    /** A trailer is a field (section 7.1.2), though it is dropped: what stands in its place may be another message. */
    private static void requireField(ByteBuf line) throws Malformed {
        int nameEnd = endOfToken(line, line.readerIndex());
        boolean isField = nameEnd > line.readerIndex() && nameEnd < line.writerIndex() && line.getByte(nameEnd) == ':';
        for (int at = nameEnd; isField && at < line.writerIndex(); at++) {
            isField = FieldRules.isFieldValueCharacter(line.getByte(at) & 0xff);
        }
        if (!isField) {
            throw Malformed.of(
                    Rule.TRAILER, "trailers: expected fields, each a name directly followed by ':', on one line");
        }
    }

    private static int endOfToken(ByteBuf line, int start) {
        int at = start;
        while (at < line.writerIndex() && FieldRules.isTokenCharacter(line.getByte(at))) {
            at++;
        }
        return at;
    }

    /** Behind a token or a quoted string; the start if it is neither. */
    private static int endOfValue(ByteBuf line, int start) {
        if (start == line.writerIndex() || line.getByte(start) != '"') {
            return endOfToken(line, start);
        }
        boolean isEscaped = false;
        for (int at = start + 1; at < line.writerIndex(); at++) {
            byte b = line.getByte(at);
            if (b < 0 || !FieldRules.isFieldValueCharacter(b)) {
                return start;
            }
            if (b == '"' && !isEscaped) {
                return at + 1;
            }
            isEscaped = b == '\\' && !isEscaped;
        }
        return start;
    }

    /** SIZE → DATA → DATA_END → SIZE …; SIZE → TRAILERS → DONE at a size of 0. */
    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        DONE
    }
}
