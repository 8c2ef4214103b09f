package io.fairlead.schema.protobuf;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects in protobuf: the bytes {@code k8s} and zero, then a {@code runtime.Unknown} with the kind and the object.
 *
 * <p>What Go writes of an object is what {@link #write} writes, byte by byte.
 */
public final class Protobuf {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private Protobuf() {}

    /**
     * The object in a body, with {@code apiVersion} and {@code kind}. Fields that are not pointers in Go are present
     * even if they are zero; {@link io.fairlead.schema.typed.TypedDecoder} leaves them out.
     *
     * @throws UnreadableDocumentException if it is not protobuf, or of an unknown kind
     */
    public static ObjectNode read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw ProtobufReader.malformed("it does not begin with the envelope of Kubernetes (k8s and a zero byte)");
        }
        Envelope envelope = Envelope.read(new ProtobufReader(body, MAGIC.length, body.length));
        Struct type = ApiTypes.ofKind(envelope.apiVersion, envelope.kind);
        if (type == null) {
            throw new UnreadableDocumentException("no kind \"" + envelope.kind + "\" is registered for version \""
                    + envelope.apiVersion + "\" in protobuf");
        }
        ObjectNode object = Json.object().put("kind", envelope.kind).put("apiVersion", envelope.apiVersion);
        return envelope.raw == null ? object : requireReadable(envelope.raw.struct(type, object, 0));
    }

    /** JSON inside of a message has depths of its own; together they must not be more than can be read again. */
    private static ObjectNode requireReadable(ObjectNode object) {
        if (isDeeper(object, Json.DEPTH_MAX)) {
            throw ProtobufReader.malformed("the object nests deeper than " + Json.DEPTH_MAX + " levels");
        }
        return object;
    }

    private static boolean isDeeper(JsonNode node, int levels) {
        if (!node.isContainer()) {
            return false;
        }
        if (levels == 0) {
            return true;
        }
        for (JsonNode member : node) {
            if (isDeeper(member, levels - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Whether objects of a kind can be written. */
    public static boolean knows(String apiVersion, String kind) {
        return ApiTypes.ofKind(apiVersion, kind) != null;
    }

    /**
     * An object of a known kind with its envelope.
     *
     * @throws IllegalArgumentException if its kind is not known
     */
    public static byte[] write(ObjectNode object) {
        String apiVersion = object.path("apiVersion").asString("");
        String kind = object.path("kind").asString("");
        Struct type = ApiTypes.ofKind(apiVersion, kind);
        if (type == null) {
            throw new IllegalArgumentException("kind " + kind + " in " + apiVersion + " has no form in protobuf");
        }
        ProtobufWriter content = new ProtobufWriter();
        content.struct(type, object);
        ProtobufWriter envelope = envelope(object, content, 0);
        endEnvelope(envelope);
        return envelope.bytes();
    }

    /** The envelope up to and with content, of which so many bytes are still to come. */
    static ProtobufWriter envelope(ObjectNode object, ProtobufWriter content, long bytesToCome) {
        ProtobufWriter typeMeta = new ProtobufWriter();
        typeMeta.text(1, object.path("apiVersion").asString(""));
        typeMeta.text(2, object.path("kind").asString(""));
        ProtobufWriter envelope = new ProtobufWriter();
        envelope.raw(MAGIC);
        envelope.message(1, typeMeta);
        envelope.begin(2, content, bytesToCome);
        return envelope;
    }

    /** What follows the content. */
    static void endEnvelope(ProtobufWriter envelope) {
        envelope.text(3, "");
        envelope.text(4, "");
    }

    /**
     * An event of a watch: four bytes with the length, then a {@code meta/v1 WatchEvent} whose object has its envelope.
     *
     * @param type {@code ADDED} and its like
     */
    public static byte[] frame(String type, ObjectNode object) {
        ProtobufWriter extension = new ProtobufWriter();
        extension.bytes(1, write(object));
        ProtobufWriter event = new ProtobufWriter();
        event.text(1, type);
        event.message(2, extension);
        ProtobufWriter frame = new ProtobufWriter();
        frame.int32BigEndian(event.size());
        frame.raw(event.bytes());
        return frame.bytes();
    }

    /** A {@code runtime.Unknown} as far as it is used: its encoding and content type are empty in all that clients send. */
    private record Envelope(
            String apiVersion, String kind, @Nullable ProtobufReader raw) {
        static Envelope read(ProtobufReader in) {
            String apiVersion = "";
            String kind = "";
            ProtobufReader raw = null;
            while (in.hasNext()) {
                int key = in.key();
                switch (key >>> 3) {
                    case 1 -> {
                        ProtobufReader typeMeta = in.nested(key);
                        while (typeMeta.hasNext()) {
                            int field = typeMeta.key();
                            switch (field >>> 3) {
                                case 1 -> apiVersion = typeMeta.nested(field).text();
                                case 2 -> kind = typeMeta.nested(field).text();
                                default -> typeMeta.skip(field);
                            }
                        }
                    }
                    case 2 -> raw = in.nested(key);
                    default -> in.skip(key);
                }
            }
            return new Envelope(apiVersion, kind, raw);
        }
    }
}
