package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.listen.StatusBody;
import io.fairlead.model.Status;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** In which form the events of a watch come. */
enum EventFormat {
    /** Objects, one behind the other, with white space between them. */
    JSON {
        @Override
        EventReader reader() {
            return new ObjectEventReader(
                    JsonScanner::new, (version, _, into) -> into.writeCharSequence(version.digits(), UTF_8));
        }

        @Override
        boolean isFiller(byte b) {
            return JsonScanner.isSpace(b);
        }

        @Override
        ByteBuf lineEnd() {
            return Unpooled.copiedBuffer("\n", UTF_8);
        }

        @Override
        ByteBuf error(Status status) {
            return Unpooled.copiedBuffer(
                    "{\"type\":\"ERROR\",\"object\":" + new String(StatusBody.encode(status), UTF_8).strip() + "}\n",
                    UTF_8);
        }
    },

    /** Messages behind their length. */
    PROTOBUF {
        @Override
        EventReader reader() {
            return new ProtobufEventReader();
        }

        @Override
        ByteBuf error(Status status) {
            return Unpooled.wrappedBuffer(Protobuf.frame("ERROR", (ObjectNode) Json.read(StatusBody.encode(status))));
        }
    },

    /** Maps, one behind the other (RFC 8742). */
    CBOR {
        @Override
        EventReader reader() {
            return new ObjectEventReader(
                    CborScanner::new,
                    (version, first, into) -> CborWriter.string(version.digits(), first & CborWriter.MAJOR, into));
        }

        @Override
        ByteBuf error(Status status) {
            ObjectNode event = Json.object().put("type", "ERROR");
            event.set("object", Json.read(StatusBody.encode(status)));
            return CborWriter.write(event);
        }
    },

    /** One that is not read, or encoded. */
    OPAQUE;

    /** The form of an answer's body. */
    static EventFormat of(String contentType, String contentEncoding) {
        if (!contentEncoding.isEmpty() && !contentEncoding.equalsIgnoreCase("identity")) {
            return OPAQUE;
        }
        int parameters = contentType.indexOf(';');
        String mediaType = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return switch (mediaType.strip().toLowerCase(Locale.ROOT)) {
            case "application/json" -> JSON;
            case "application/cbor", "application/cbor-seq" -> CBOR;
            case "application/vnd.kubernetes.protobuf" -> PROTOBUF;
            default -> OPAQUE;
        };
    }

    /** A reader that has read nothing yet. */
    EventReader reader() {
        throw new IllegalStateException(this + " is not read");
    }

    /** Whether a byte between two events belongs to none of them. */
    boolean isFiller(byte b) {
        return false;
    }

    /** What stands between two events. */
    ByteBuf lineEnd() {
        return Unpooled.EMPTY_BUFFER;
    }

    /** An ERROR event. */
    ByteBuf error(Status status) {
        throw new IllegalStateException(this + " is not written");
    }
}
