package io.fairlead.gateway.tracing;

import io.fairlead.schema.protobuf.ProtobufWriter;
import org.jspecify.annotations.Nullable;

/**
 * One span.
 *
 * @param context of it
 * @param parent of the span in which it is; null for the first of a trace
 * @param isParentRemote whether that one is of another program
 * @param state what other tracers say of the trace ({@code tracestate}), empty for nothing
 * @param began in nanoseconds since 1970, as {@code ended}
 * @param isError whether what it stands for failed
 */
record Span(
        TraceContext context,
        @Nullable TraceContext parent,
        boolean isParentRemote,
        String state,
        String name,
        Kind kind,
        long began,
        long ended,
        Attributes attributes,
        boolean isError) {
    private static final int SPANS = 2;
    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 2;
    private static final int TRACE_STATE = 3;
    private static final int PARENT_SPAN_ID = 4;
    private static final int NAME = 5;
    private static final int KIND = 6;
    private static final int BEGAN = 7;
    private static final int ENDED = 8;
    private static final int ATTRIBUTES = 9;
    private static final int STATUS = 15;
    private static final int FLAGS = 16;
    private static final int STATUS_CODE = 3;
    private static final int STATUS_CODE_ERROR = 2;
    private static final int FLAG_SAMPLED = 1;
    private static final int FLAG_SAYS_WHETHER_REMOTE = 0x100;
    private static final int FLAG_IS_REMOTE = 0x200;

    /** Which side of a call it is. */
    enum Kind {
        INTERNAL(1),
        SERVER(2),
        CLIENT(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    /** Writes it as a field {@code spans} of a message {@code ScopeSpans}. */
    void writeTo(ProtobufWriter scopeSpans) {
        scopeSpans.message(SPANS, this::write);
    }

    private void write(ProtobufWriter span) {
        span.bytes(TRACE_ID, context.traceBytes());
        span.bytes(SPAN_ID, context.spanBytes());
        if (!state.isEmpty()) {
            span.text(TRACE_STATE, state);
        }
        if (parent != null) {
            span.bytes(PARENT_SPAN_ID, parent.spanBytes());
        }
        span.text(NAME, name);
        span.number(KIND, kind.number);
        span.fixed64(BEGAN, began);
        span.fixed64(ENDED, ended);
        attributes.writeTo(span, ATTRIBUTES);
        if (isError) {
            span.message(STATUS, status -> status.number(STATUS_CODE, STATUS_CODE_ERROR));
        }
        span.fixed32(FLAGS, FLAG_SAMPLED | FLAG_SAYS_WHETHER_REMOTE | (isParentRemote ? FLAG_IS_REMOTE : 0));
    }
}
