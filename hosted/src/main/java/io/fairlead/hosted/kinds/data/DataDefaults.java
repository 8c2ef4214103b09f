package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.json.JsonResources;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Fills in what clients may leave out: what {@code data-defaults.yaml} says, {@link Completions}, and the table of types. */
final class DataDefaults {
    private static final String RESOURCE = "data-defaults.json";
    private static final Map<String, List<Default>> DEFAULTS = read();

    private DataDefaults() {}

    /** Completes an object in place, from the outside to the inside. */
    static void apply(Struct type, ObjectNode object) {
        fillIn(type.name(), object);
        Completions.of(type.name()).accept(object);
        for (Field field : type.fields()) {
            JsonNode usual = field.management().defaultValue();
            if (usual != null && !isZero(usual, field) && isMissing(object, field)) {
                object.set(field.name(), usual);
            }
            JsonNode value = object.get(field.name());
            if (value != null) {
                descend(field.type(), value);
            }
        }
    }

    /** Fills in what the file says of a type, or of a field of one. */
    static void fillIn(String place, ObjectNode object) {
        for (Default one : DEFAULTS.getOrDefault(place, List.of())) {
            if (isMissing(object, one.field()) && one.condition().test(object)) {
                object.set(one.field().name(), one.value().deepCopy());
            }
        }
    }

    private static void descend(GoType type, JsonNode value) {
        switch (type) {
            case Struct struct -> {
                if (value instanceof ObjectNode object) {
                    apply(struct, object);
                }
            }
            case ListOf list -> value.forEach(item -> descend(list.element(), item));
            case MapOf map -> value.forEach(item -> descend(map.element(), item));
            case Scalar scalar -> {}
            case Union union -> {}
        }
    }

    /** Whether a field has no value in Go: it is absent, or zero and no pointer. */
    private static boolean isMissing(ObjectNode object, Field field) {
        JsonNode value = object.get(field.name());
        return value == null || value.isNull() || isZero(value, field);
    }

    /** Whether a value is what Go has for none, which it may leave out. */
    private static boolean isZero(JsonNode value, Field field) {
        if (field.pointer()) {
            return false;
        }
        return switch (field.type()) {
            case ListOf list -> value.isEmpty();
            case MapOf map -> value.isEmpty();
            case Scalar scalar ->
                value.isString() ? value.stringValue().isEmpty() : value.isNumber() && value.asLong(0) == 0;
            case Struct struct -> false;
            case Union union -> false;
        };
    }

    private static Map<String, List<Default>> read() {
        Map<String, List<Default>> defaults = new HashMap<>();
        JsonResources.read(DataDefaults.class, RESOURCE).forEachEntry((type, fields) -> {
            Struct struct = struct(type);
            List<Default> ofType = new ArrayList<>();
            fields.forEachEntry((text, value) -> ofType.add(Default.read(struct, text, value)));
            defaults.put(type, ofType);
        });
        return defaults;
    }

    /** The type of a name, or of a field of one ({@code batch/v1.Job.spec}). */
    private static Struct struct(String place) {
        int afterType = place.indexOf('.', place.indexOf('.') + 1);
        if (afterType < 0) {
            return ApiTypes.named(place);
        }
        Field field = ApiTypes.named(place.substring(0, afterType)).field(place.substring(afterType + 1));
        return (Struct) Objects.requireNonNull(field, place).type();
    }

    /**
     * What a field is when it is left out.
     *
     * @param condition of the object that it stands in
     */
    private record Default(Field field, JsonNode value, Predicate<ObjectNode> condition) {
        private static final String WHEN = " when ";
        private static final String WITHOUT = " without ";

        static Default read(Struct struct, String text, JsonNode value) {
            int when = text.indexOf(WHEN);
            int without = text.indexOf(WITHOUT);
            if (when >= 0) {
                return new Default(
                        field(struct, text.substring(0, when)),
                        value,
                        condition(struct, text.substring(when + WHEN.length())));
            }
            return without < 0
                    ? new Default(field(struct, text), value, object -> true)
                    : new Default(
                            field(struct, text.substring(0, without)),
                            value,
                            condition(struct, text.substring(without + WITHOUT.length()))
                                    .negate());
        }

        private static Predicate<ObjectNode> condition(Struct struct, String text) {
            int equal = text.indexOf('=');
            if (equal < 0) {
                Field present = field(struct, text);
                return object -> !isMissing(object, present);
            }
            String name = field(struct, text.substring(0, equal)).name();
            String wanted = text.substring(equal + 1);
            return object -> object.path(name).asString("").equals(wanted);
        }

        private static Field field(Struct struct, String name) {
            @Nullable Field field = struct.field(name);
            return Objects.requireNonNull(field, () -> RESOURCE + ": " + struct.name() + " has no field " + name);
        }
    }
}
