package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/*
 * Nothing is kept of a value but where it stands, so that a string of any length costs the same. The grammar is RFC 8259's
 * to the letter but for two points: bytes of strings need not be UTF-8, which Go's decoder replaces, and only objects may
 * stand at the top. What a strict parser refuses is refused here, so that nothing is taken for an event that a client would
 * not read as one.
 */
/** Reads concatenated JSON objects (RFC 8259) piece by piece, wherever they are cut. One thread. */
final class JsonScanner implements ValueScanner {
    /** How deep values may be nested, as in the decoder of Kubernetes (Go's {@code encoding/json}, {@code maxNestingDepth}). */
    static final int DEPTH_MAX = 10_000;

    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final byte[] NULL = "null".getBytes(US_ASCII);

    /** The bytes at which the middle of a string ends. */
    private static final boolean[] ENDS_RUN = new boolean[256];

    static {
        Arrays.fill(ENDS_RUN, 0, ' ', true);
        ENDS_RUN['"'] = true;
        ENDS_RUN['\\'] = true;
    }

    /** What the next byte belongs to. */
    private enum State {
        BETWEEN,
        FIRST_MEMBER,
        MEMBER,
        COLON,
        FIRST_ELEMENT,
        VALUE,
        AFTER_VALUE,
        STRING,
        ESCAPE,
        HEX,
        LITERAL,
        MINUS,
        ZERO,
        INTEGER,
        POINT,
        FRACTION,
        EXPONENT_SIGN,
        EXPONENT_FIRST,
        EXPONENT,
        BROKEN
    }

    private final ValueSink sink;
    private final Text text = new Text();
    private State state = State.BETWEEN;
    private boolean isName;
    private boolean isWanted;
    private long passed;
    private int depth;
    private long objectFrom;

    /** A bit for each level: whether it is an object. */
    private long[] objects = new long[1];

    private byte[] literal = NULL;
    private int matched;

    JsonScanner(ValueSink sink) {
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
        long base = passed - from;
        int at = from;
        boolean ended = false;
        while (at < to && !ended && state != State.BROKEN) {
            if (state == State.STRING) {
                at = run(bytes, at, to, base);
            } else if (step(bytes[at], base + at)) {
                at++;
                ended = state == State.BETWEEN && bytes[at - 1] == '}';
            }
        }
        int read = state == State.BROKEN ? to : at;
        passed += read - from;
        return read;
    }

    /** Reads the middle of a string; {@code base} is the position of index 0. */
    private int run(byte[] bytes, int from, int to, long base) {
        int at = from;
        while (at < to && !ENDS_RUN[bytes[at] & 0xff]) {
            at++;
        }
        if (isWanted) {
            text.append(bytes, from, at);
        }
        if (at == to) {
            return to;
        }
        switch (bytes[at]) {
            case '"' -> endString(base + at);
            case '\\' -> {
                text.escape();
                state = State.ESCAPE;
            }
            default -> state = State.BROKEN;
        }
        return at + 1;
    }

    /** Reads a byte; false if it ends a number and is to be read again. */
    private boolean step(byte b, long position) {
        switch (state) {
            case BETWEEN -> between(b, position);
            case FIRST_MEMBER -> {
                if (b == '}') {
                    end(position);
                } else {
                    name(b, position);
                }
            }
            case MEMBER -> name(b, position);
            case COLON -> colon(b);
            case FIRST_ELEMENT -> {
                if (b == ']') {
                    end(position);
                } else {
                    value(b, position);
                }
            }
            case VALUE -> value(b, position);
            case AFTER_VALUE -> afterValue(b, position);
            case ESCAPE -> escape(b);
            case HEX -> hex(b);
            case LITERAL -> literal(b);
            case MINUS, ZERO, INTEGER, POINT, FRACTION, EXPONENT_SIGN, EXPONENT_FIRST, EXPONENT -> {
                return number(b);
            }
            case STRING, BROKEN -> throw new IllegalStateException(state.name());
        }
        return true;
    }

    /** What stands here is nothing that was expected; white space may stand between any two. */
    private void other(byte b) {
        if (!isSpace(b)) {
            state = State.BROKEN;
        }
    }

    private void between(byte b, long position) {
        if (b == '{') {
            objectFrom = position;
            begin(true, position);
        } else {
            other(b);
        }
    }

    private void name(byte b, long position) {
        if (b == '"') {
            beginString(true, position);
        } else {
            other(b);
        }
    }

    private void colon(byte b) {
        if (b == ':') {
            state = State.VALUE;
        } else {
            other(b);
        }
    }

    private void value(byte b, long position) {
        switch (b) {
            case '{' -> begin(true, position);
            case '[' -> begin(false, position);
            case '"' -> beginString(false, position);
            case 't' -> beginLiteral(TRUE);
            case 'f' -> beginLiteral(FALSE);
            case 'n' -> beginLiteral(NULL);
            case '-' -> state = State.MINUS;
            case '0' -> state = State.ZERO;
            case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> state = State.INTEGER;
            default -> other(b);
        }
    }

    private void afterValue(byte b, long position) {
        boolean inObject = isObject(depth - 1);
        if (b == ',') {
            state = inObject ? State.MEMBER : State.VALUE;
        } else if (b == (inObject ? '}' : ']')) {
            end(position);
        } else {
            other(b);
        }
    }

    private void begin(boolean object, long position) {
        if (depth == DEPTH_MAX) {
            state = State.BROKEN;
            return;
        }
        push(object);
        state = object ? State.FIRST_MEMBER : State.FIRST_ELEMENT;
        if (object) {
            sink.beginObject(position);
        } else {
            sink.beginArray();
        }
    }

    private void end(long position) {
        depth--;
        state = depth == 0 ? State.BETWEEN : State.AFTER_VALUE;
        if (depth == 0 && objects.length > 1) {
            objects = new long[1];
        }
        sink.end(position + 1);
    }

    private void push(boolean object) {
        int word = depth / Long.SIZE;
        if (word == objects.length) {
            objects = Arrays.copyOf(objects, objects.length * 2);
        }
        long bit = 1L << depth % Long.SIZE;
        objects[word] = object ? objects[word] | bit : objects[word] & ~bit;
        depth++;
    }

    private boolean isObject(int level) {
        return (objects[level / Long.SIZE] & 1L << level % Long.SIZE) != 0;
    }

    private void beginString(boolean name, long position) {
        state = State.STRING;
        isName = name;
        isWanted = sink.wantsText(name);
        text.begin(position + 1);
    }

    private void endString(long position) {
        text.end(position);
        if (isName) {
            state = State.COLON;
            sink.name(text);
        } else {
            state = State.AFTER_VALUE;
            sink.string(text);
        }
    }

    private void escape(byte b) {
        switch (b) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> state = State.STRING;
            case 'u' -> {
                state = State.HEX;
                matched = 0;
            }
            default -> state = State.BROKEN;
        }
    }

    private void hex(byte b) {
        if (Character.digit(b, 16) < 0) {
            state = State.BROKEN;
        } else if (++matched == 4) {
            state = State.STRING;
        }
    }

    private void beginLiteral(byte[] expected) {
        state = State.LITERAL;
        literal = expected;
        matched = 1;
    }

    private void literal(byte b) {
        if (b != literal[matched]) {
            state = State.BROKEN;
        } else if (++matched == literal.length) {
            state = State.AFTER_VALUE;
            if (literal[0] == NULL[0]) {
                sink.nothing();
            } else {
                sink.scalar();
            }
        }
    }

    private boolean number(byte b) {
        State next = nextOfNumber(b);
        state = next;
        if (next != State.AFTER_VALUE) {
            return true;
        }
        sink.scalar();
        return false;
    }

    /** AFTER_VALUE if the number is complete before the byte. */
    private State nextOfNumber(byte b) {
        boolean digit = isDigit(b);
        return switch (state) {
            case MINUS -> b == '0' ? State.ZERO : digit ? State.INTEGER : State.BROKEN;
            case ZERO -> afterInteger(b, digit ? State.BROKEN : State.AFTER_VALUE);
            case INTEGER -> digit ? State.INTEGER : afterInteger(b, State.AFTER_VALUE);
            case POINT -> digit ? State.FRACTION : State.BROKEN;
            case FRACTION -> digit ? State.FRACTION : b == 'e' || b == 'E' ? State.EXPONENT_SIGN : State.AFTER_VALUE;
            case EXPONENT_SIGN -> digit ? State.EXPONENT : b == '+' || b == '-' ? State.EXPONENT_FIRST : State.BROKEN;
            case EXPONENT_FIRST -> digit ? State.EXPONENT : State.BROKEN;
            default -> digit ? State.EXPONENT : State.AFTER_VALUE;
        };
    }

    private static State afterInteger(byte b, State otherwise) {
        return b == '.' ? State.POINT : b == 'e' || b == 'E' ? State.EXPONENT_SIGN : otherwise;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
