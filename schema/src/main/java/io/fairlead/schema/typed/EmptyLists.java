package io.fairlead.schema.typed;

import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Empty lists and maps of objects that kube-apiserver stores as protobuf (apiserver {@code storage/etcd3}): protobuf writes nothing for
 * one, so that it is read back as none. Go writes that as null in a field that it writes always, and leaves any other field out.
 */
public final class EmptyLists {
    private EmptyLists() {}

    /** Makes none of the empty lists and maps in a decoded object. */
    public static void forget(Struct type, ObjectNode object) {
        List<String> dropped = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            Field field = type.field(member.getKey());
            if (field != null) {
                JsonNode left = forgotten(field.type(), member.getValue());
                member.setValue(left);
                if (left.isNull() && !field.kept()) {
                    dropped.add(member.getKey());
                }
            }
        }
        object.remove(dropped);
    }

    private static JsonNode forgotten(GoType type, JsonNode value) {
        return switch (type) {
            case Struct struct
            when value instanceof ObjectNode object -> {
                forget(struct, object);
                yield object;
            }
            case ListOf list when value instanceof ArrayNode array -> items(list, array);
            case MapOf map when value instanceof ObjectNode object -> entries(map, object);
            case Struct _, ListOf _, MapOf _, Union _, Scalar _ -> value;
        };
    }

    private static JsonNode items(ListOf type, ArrayNode list) {
        if (list.isEmpty()) {
            return NullNode.instance;
        }
        if (!(type.element() instanceof Scalar)) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, forgotten(type.element(), list.get(i)));
            }
        }
        return list;
    }

    private static JsonNode entries(MapOf type, ObjectNode map) {
        if (map.isEmpty()) {
            return NullNode.instance;
        }
        if (!(type.element() instanceof Scalar)) {
            map.properties().forEach(entry -> entry.setValue(forgotten(type.element(), entry.getValue())));
        }
        return map;
    }
}
