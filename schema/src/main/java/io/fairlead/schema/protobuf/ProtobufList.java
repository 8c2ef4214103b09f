package io.fairlead.schema.protobuf;

import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Struct;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list in parts that together are what {@link Protobuf#write} makes of the whole. Its items come last in Go's structs, and only
 * their length must be known before.
 */
public final class ProtobufList {
    private final Struct type;
    private final Field items;

    private ProtobufList(Struct type, Field items) {
        this.type = type;
        this.items = items;
    }

    /**
     * The form of a kind of list.
     *
     * @throws IllegalArgumentException if its kind is not known, or no list
     */
    public static ProtobufList of(String apiVersion, String kind) {
        Struct type = ApiTypes.ofKind(apiVersion, kind);
        Field last = null;
        if (type != null) {
            for (Field field : type.wireFields()) {
                last = field;
            }
        }
        if (type == null || last == null || !last.name().equals("items")) {
            throw new IllegalArgumentException("kind " + kind + " in " + apiVersion + " has no list form in protobuf");
        }
        return new ProtobufList(type, last);
    }

    /**
     * The envelope and what comes before the items.
     *
     * @param list without items
     * @param itemBytes the length of all items as {@link #item} writes them
     */
    public byte[] begin(ObjectNode list, long itemBytes) {
        ProtobufWriter content = new ProtobufWriter();
        content.struct(type, list);
        return Protobuf.envelope(list, content, itemBytes).bytes();
    }

    public byte[] item(JsonNode object) {
        ProtobufWriter item = new ProtobufWriter();
        item.single(items.number(), ((ListOf) items.type()).element(), object);
        return item.bytes();
    }

    public static byte[] end() {
        ProtobufWriter end = new ProtobufWriter();
        Protobuf.endEnvelope(end);
        return end.bytes();
    }
}
