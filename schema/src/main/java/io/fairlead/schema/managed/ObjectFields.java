package io.fairlead.schema.managed;

import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of an object, found and taken away (structured-merge-diff {@code typed/tofieldset.go}, {@code remove.go},
 * {@code validate.go}).
 */
final class ObjectFields {
    private ObjectFields() {}

    /** The fields that an applied configuration claims: its leaves, and members and items that its type does not name. */
    static FieldSet of(ManagedType type, JsonNode object) {
        FieldSet set = new FieldSet();
        collect(type, object, set);
        return set.compact();
    }

    private static void collect(ManagedType type, JsonNode value, FieldSet into) {
        switch (Part.of(type, value)) {
            case SCALAR -> into.insert();
            case MEMBERS -> {
                ManagedType.Members members = type.members();
                if (members == null || members.atomic()) {
                    into.insert();
                } else if (value instanceof ObjectNode object) {
                    object.forEachEntry((name, member) -> {
                        ManagedType inner = members.type(name);
                        FieldSet at = into.at(new PathElement.Member(name));
                        collect(inner == null ? UnknownType.DEDUCED : inner, member, at);
                        if (member.isNull()
                                || (member.isObject() && member.isEmpty())
                                || members.declared(name) == null) {
                            at.insert();
                        }
                    });
                }
            }
            case ITEMS -> {
                ManagedType.Items items = type.items();
                if (items == null || !items.associative()) {
                    into.insert();
                } else {
                    Part.itemsOf(items, value).forEach((element, there) -> {
                        FieldSet at = into.at(element);
                        at.insert();
                        if (there.size() == 1) {
                            collect(items.type(), there.getFirst(), at);
                        }
                    });
                }
            }
        }
    }

    /** The object without some fields; nothing is left of an object of which all is taken away. The object is not changed. */
    static ObjectNode without(ManagedType type, ObjectNode object, FieldSet fields) {
        return remove(type, object, fields) instanceof ObjectNode rest ? rest : Json.object();
    }

    /** The value without some fields; null where all is taken out of a container. */
    private static JsonNode remove(ManagedType type, JsonNode value, FieldSet fields) {
        return switch (Part.of(type, value)) {
            case SCALAR -> value;
            case MEMBERS -> removeMembers(type.members(), value, fields);
            case ITEMS -> removeItems(type.items(), value, fields);
        };
    }

    private static JsonNode removeMembers(ManagedType.@Nullable Members members, JsonNode value, FieldSet fields) {
        if (members == null || members.atomic() || !(value instanceof ObjectNode object)) {
            return Json.nodes().nullNode();
        }
        ObjectNode rest = Json.object();
        object.forEachEntry((name, member) -> {
            FieldSet at = fields.below(new PathElement.Member(name));
            ManagedType inner = members.type(name);
            if (at == null) {
                rest.set(name, member);
            } else if (!at.isMember()) {
                rest.set(name, remove(inner == null ? UnknownType.DEDUCED : inner, member, at));
            }
        });
        return rest.isEmpty() ? Json.nodes().nullNode() : rest;
    }

    private static JsonNode removeItems(ManagedType.@Nullable Items items, JsonNode value, FieldSet fields) {
        if (items == null || !items.associative() || !(value instanceof ArrayNode array)) {
            return Json.nodes().nullNode();
        }
        ArrayNode rest = Json.array();
        for (JsonNode item : array.values()) {
            FieldSet at = Part.unidentified(items, item) == null ? fields.below(Part.element(items, item)) : null;
            if (at == null) {
                rest.add(item);
            } else if (!at.isMember()) {
                rest.add(remove(items.type(), item, at));
            }
        }
        return rest.isEmpty() ? Json.nodes().nullNode() : rest;
    }

    /**
     * What keeps a value from being of its type ({@code .spec.x: field not declared in schema}); the first of very many.
     *
     * @param doubled whether items of a set or map may occur more than once
     */
    static List<String> problems(ManagedType type, JsonNode value, boolean doubled) {
        Check check = new Check(doubled, new ArrayList<>());
        check.value(type, value, FieldPlace.ROOT);
        return check.problems;
    }

    private record Check(boolean doubled, List<String> problems) {
        private static final int PROBLEMS_MAX = 100;

        private void value(ManagedType type, JsonNode value, FieldPlace place) {
            if (value.isNull() || problems.size() >= PROBLEMS_MAX) {
                return;
            }
            switch (Part.of(type, value)) {
                case SCALAR -> scalar(type.scalar(), value, place);
                case MEMBERS -> {
                    if (value instanceof ObjectNode object && type.members() != null) {
                        members(type.members(), object, place);
                    } else {
                        add(place, "expected map, got &{" + shown(value) + "}");
                    }
                }
                case ITEMS -> {
                    if (value instanceof ArrayNode array && type.items() != null) {
                        items(type.items(), array, place);
                    } else {
                        add(place, "expected list, got &{" + shown(value) + "}");
                    }
                }
            }
        }

        private void scalar(ManagedType.@Nullable Scalar scalar, JsonNode value, FieldPlace place) {
            boolean fits = scalar != null
                    && switch (scalar) {
                        case STRING -> value.isString();
                        case NUMBER -> value.isNumber();
                        case BOOLEAN -> value.isBoolean();
                        case ANY -> !value.isContainer();
                    };
            if (!fits) {
                add(
                        place,
                        switch (scalar) {
                            case NUMBER -> "expected numeric (int or float), got " + GoText.kind(value);
                            case STRING ->
                                "expected string, got &value.valueUnstructured{Value:"
                                        + FieldPlace.cut(GoText.syntax(value)) + "}";
                            case BOOLEAN -> "expected boolean, got &{" + shown(value) + "}";
                            case ANY -> "expected any scalar, got &{" + shown(value) + "}";
                            case null -> "unexpected scalar " + shown(value);
                        });
            }
        }

        private void members(ManagedType.Members members, ObjectNode object, FieldPlace place) {
            object.forEachEntry((name, member) -> {
                ManagedType inner = members.type(name);
                FieldPlace at = place.at(new PathElement.Member(name));
                if (inner == null) {
                    add(at, "field not declared in schema");
                } else {
                    value(inner, member, at);
                }
            });
        }

        private void items(ManagedType.Items items, ArrayNode array, FieldPlace place) {
            Set<PathElement> seen = new TreeSet<>();
            for (int i = 0; i < array.size(); i++) {
                JsonNode item = array.get(i);
                PathElement element = new PathElement.Indexed(i);
                if (items.associative()) {
                    String reason = Part.unidentified(items, item);
                    if (reason != null) {
                        add(place, "element " + i + ": " + reason);
                        return;
                    }
                    element = Part.element(items, item);
                    if (!seen.add(element) && !doubled) {
                        add(place, "duplicate entries for key " + FieldPlace.cut(element.toString()));
                    }
                }
                value(items.type(), item, place.at(element));
            }
        }

        private static String shown(JsonNode value) {
            return FieldPlace.cut(GoText.plain(value));
        }

        private void add(FieldPlace place, String problem) {
            if (problems.size() < PROBLEMS_MAX) {
                String path = place.toString();
                problems.add(path.isEmpty() ? problem : path + ": " + problem);
            }
        }
    }
}
