package io.fairlead.hosted.review;

import io.fairlead.hosted.review.Message.Field;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the protobuf form of reviews: the envelope of apimachinery ({@code runtime.Unknown} behind {@code k8s} and a zero
 * byte), and in it the message as a tree.
 *
 * <p>Protobuf cannot tell an empty text from an absent one in these types: empty texts are left out.
 */
final class ProtobufReader {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int TYPE_META = 1;
    private static final int RAW = 2;
    private static final int DEPTH_MAX = 16;

    private final byte[] bytes;
    private final int end;
    private int position;

    private ProtobufReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    /**
     * The object in an enveloped body, with its {@code apiVersion} and {@code kind}.
     *
     * @throws StatusException 400 if it is none
     */
    static ObjectNode read(byte[] body, Message message) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw malformed("no Kubernetes protobuf envelope");
        }
        ObjectNode object = Json.object();
        ProtobufReader envelope = new ProtobufReader(body, MAGIC.length, body.length);
        while (envelope.position < envelope.end) {
            int key = (int) envelope.varint();
            switch (key >>> 3) {
                case TYPE_META -> envelope.nested(key).typeMeta(object);
                case RAW -> envelope.nested(key).message(object, message, 0);
                default -> envelope.skip(key);
            }
        }
        return object;
    }

    private void typeMeta(ObjectNode object) {
        while (position < end) {
            int key = (int) varint();
            switch (key >>> 3) {
                case 1 -> object.put("apiVersion", nested(key).text());
                case 2 -> object.put("kind", nested(key).text());
                default -> skip(key);
            }
        }
    }

    private ObjectNode message(ObjectNode object, Message message, int depth) {
        if (depth > DEPTH_MAX) {
            throw malformed("nested too deeply");
        }
        while (position < end) {
            int key = (int) varint();
            Field field = message.field(key >>> 3);
            if (field == null) {
                skip(key);
            } else {
                nested(key).field(object, field, depth);
            }
        }
        return object;
    }

    private void field(ObjectNode object, Field field, int depth) {
        switch (field.shape()) {
            case SINGLE -> single(object, field, depth);
            case LIST -> element(array(object, field.name()), field, depth);
            case MAP -> entry(objectIn(object, field.name()));
            case IGNORED -> {}
        }
    }

    private void single(ObjectNode object, Field field, int depth) {
        if (!field.message().isEmpty()) {
            message(objectIn(object, field.name()), Message.named(field.message()), depth + 1);
        } else if (position < end) {
            object.put(field.name(), text());
        }
    }

    private void element(ArrayNode array, Field field, int depth) {
        if (field.message().isEmpty()) {
            array.add(text());
        } else {
            message(array.addObject(), Message.named(field.message()), depth + 1);
        }
    }

    /** A map's entry: field 1 is the key, field 2 the value, whose field 1 repeats. */
    private void entry(ObjectNode map) {
        String name = "";
        ArrayNode values = Json.array();
        while (position < end) {
            int key = (int) varint();
            switch (key >>> 3) {
                case 1 -> name = nested(key).text();
                case 2 -> nested(key).items(values);
                default -> skip(key);
            }
        }
        map.set(name, values);
    }

    private void items(ArrayNode values) {
        while (position < end) {
            int key = (int) varint();
            if (key >>> 3 == 1) {
                values.add(nested(key).text());
            } else {
                skip(key);
            }
        }
    }

    private String text() {
        return new String(bytes, position, end - position, StandardCharsets.UTF_8);
    }

    /** The content of a length-delimited field, and steps over it. */
    private ProtobufReader nested(int key) {
        if ((key & 7) != 2) {
            throw malformed("field " + (key >>> 3) + " is not length-delimited");
        }
        int length = length();
        ProtobufReader nested = new ProtobufReader(bytes, position, position + length);
        position += length;
        return nested;
    }

    private void skip(int key) {
        switch (key & 7) {
            case 0 -> varint();
            case 1 -> advance(8);
            case 2 -> advance(length());
            case 5 -> advance(4);
            default -> throw malformed("unknown wire type " + (key & 7));
        }
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw malformed("a field reaches beyond its message");
        }
        return (int) length;
    }

    private void advance(int count) {
        if (count > end - position) {
            throw malformed("a field reaches beyond its message");
        }
        position += count;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position == end) {
                throw malformed("a number is cut off");
            }
            byte b = bytes[position++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed("a number is longer than 64 bits");
    }

    private static ObjectNode objectIn(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }

    private static ArrayNode array(ObjectNode parent, String name) {
        return parent.get(name) instanceof ArrayNode array ? array : parent.putArray(name);
    }

    private static StatusException malformed(String why) {
        return new StatusException(Status.badRequest("the body is not valid protobuf: " + why));
    }
}
