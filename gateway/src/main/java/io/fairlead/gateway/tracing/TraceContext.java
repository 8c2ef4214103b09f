package io.fairlead.gateway.tracing;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a span stands: its trace, and itself (W3C Trace Context, {@code traceparent}).
 *
 * @param traceHigh the first half of the trace's id
 * @param traceLow the second half; not both are 0
 * @param span the id of the span, not 0
 * @param isSampled whether it is recorded
 */
record TraceContext(long traceHigh, long traceLow, long span, boolean isSampled) {
    /** Of version 00, or of a later one, of which the beginning is the same (W3C Trace Context section 4.3). */
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)([0-9a-f]{2})-([0-9a-f]{16})([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private static final int SAMPLED = 1;
    private static final int HEX = 16;

    /** A new trace, to be recorded. */
    static TraceContext root(LongSupplier random) {
        return new TraceContext(random.getAsLong(), id(random), id(random), true);
    }

    /** That of a value of the header, or null if the value is none. */
    static @Nullable TraceContext parse(String traceparent) {
        Matcher parts = TRACEPARENT.matcher(traceparent);
        if (!parts.matches() || (parts.group(1).equals("00") && parts.group(6) != null)) {
            return null;
        }
        TraceContext context =
                new TraceContext(bits(parts, 2), bits(parts, 3), bits(parts, 4), (bits(parts, 5) & SAMPLED) != 0);
        return (context.traceHigh | context.traceLow) == 0 || context.span == 0 ? null : context;
    }

    /** Another span of the same trace. */
    TraceContext next(LongSupplier random) {
        return new TraceContext(traceHigh, traceLow, id(random), isSampled);
    }

    byte[] traceBytes() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(traceHigh)
                .putLong(traceLow)
                .array();
    }

    byte[] spanBytes() {
        return ByteBuffer.allocate(Long.BYTES).putLong(span).array();
    }

    /** The value of the header. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "00-" + hex.toHexDigits(traceHigh) + hex.toHexDigits(traceLow) + "-" + hex.toHexDigits(span)
                + (isSampled ? "-01" : "-00");
    }

    private static long bits(Matcher parts, int group) {
        return Long.parseUnsignedLong(parts.group(group), HEX);
    }

    private static long id(LongSupplier random) {
        long id = random.getAsLong();
        return id == 0 ? 1 : id;
    }
}
