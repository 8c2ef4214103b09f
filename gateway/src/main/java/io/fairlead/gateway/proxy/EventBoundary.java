package io.fairlead.gateway.proxy;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether a watch is between two events: JSON events end with a line feed, protobuf events follow their length
 * in four bytes, big-endian (apimachinery {@code runtime/serializer/streaming} and {@code framer}).
 */
interface EventBoundary {
    /** Processes a piece of the stream; its reader index stays. Returns the number of completed events. */
    int pass(ByteBuf data);

    /** Whether the stream so far ends with a complete event, or is empty. */
    boolean isReached();

    /** The boundaries of a media type; null if unknown. */
    static @Nullable EventBoundary of(@Nullable String contentType) {
        if (contentType == null) {
            return null;
        }
        if (contentType.startsWith("application/json")) {
            return new Lines();
        }
        return contentType.startsWith("application/vnd.kubernetes.protobuf") ? new LengthPrefixed() : null;
    }

    /** Events are lines. */
    final class Lines implements EventBoundary {
        private boolean reached = true;

        @Override
        public int pass(ByteBuf data) {
            if (!data.isReadable()) {
                return 0;
            }
            reached = data.getByte(data.writerIndex() - 1) == '\n';
            int events = 0;
            int end = data.writerIndex();
            for (int at = data.readerIndex(); (at = data.indexOf(at, end, (byte) '\n')) >= 0; at++) {
                events++;
            }
            return events;
        }

        @Override
        public boolean isReached() {
            return reached;
        }
    }

    /** Events follow their length. */
    final class LengthPrefixed implements EventBoundary {
        private static final int PREFIX_BYTES = 4;

        private int prefixBytes;
        private long length;
        private long missing;

        @Override
        public int pass(ByteBuf data) {
            int events = 0;
            int at = data.readerIndex();
            while (at < data.writerIndex()) {
                if (missing == 0) {
                    length = length << 8 | (data.getByte(at++) & 0xff);
                    events += endPrefix() && missing == 0 ? 1 : 0;
                } else {
                    int step = (int) Math.min(missing, data.writerIndex() - at);
                    missing -= step;
                    at += step;
                    events += missing == 0 ? 1 : 0;
                }
            }
            return events;
        }

        @Override
        public boolean isReached() {
            return prefixBytes == 0 && missing == 0;
        }

        /** Whether the length is complete. */
        private boolean endPrefix() {
            prefixBytes++;
            if (prefixBytes < PREFIX_BYTES) {
                return false;
            }
            missing = length;
            prefixBytes = 0;
            length = 0;
            return true;
        }
    }
}
