package io.fairlead.gateway.guard;

import io.fairlead.model.ResourceVersion;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the events of one watch in its media type, piece by piece, and writes what the guard puts in their place. */
interface EventFormat {
    /**
     * Reads up to the end of an event.
     *
     * @return the index behind the last byte that was read: of an end, or {@code to}; also {@code to} once it is broken
     */
    int read(byte[] bytes, int from, int to);

    /** The event whose end was read last; null if none ended since the last call. */
    @Nullable
    ReadEvent take();

    /** Where the present event begins in the stream; negative between two events. */
    long begun();

    /** Whether the stream cannot be read any more. */
    boolean isBroken();

    /**
     * A copy of an event in which every version below another is replaced by that one.
     *
     * @param event all of its bytes; stays its owner's
     */
    ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion version);

    /** An ERROR event. */
    ByteBuf error(Status status);

    /** Whether a byte between two events belongs to none of them. */
    boolean isFiller(byte b);

    /** The format of an answer's body. */
    static EventFormat of(String contentType, String contentEncoding) {
        if (!contentEncoding.isEmpty() && !contentEncoding.equalsIgnoreCase("identity")) {
            return OpaqueEvents.INSTANCE;
        }
        return switch (mediaType(contentType)) {
            case "application/json" -> new JsonEvents();
            case "application/vnd.kubernetes.protobuf" -> new ProtobufEvents();
            default -> OpaqueEvents.INSTANCE;
        };
    }

    private static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }
}
