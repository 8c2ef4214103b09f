package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.managed.ManagedType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The type of a field, as far as JSON, protobuf, strategic merge patches and server-side apply show it. */
public sealed interface GoType {
    /** How the type is named in messages ({@code map[string]string}). */
    String goName();

    /** What JSON a scalar may be. */
    enum Shape {
        STRING,
        INT32,
        INT64,
        NUMBER,
        BOOLEAN,
        /** An RFC 3339 time, kept in UTC and to the second. */
        TIME,
        /** An RFC 3339 time, kept in UTC and to the microsecond. */
        MICRO_TIME,
        /** Base64. */
        BYTES,
        /** A {@code resource.Quantity}. */
        QUANTITY,
        INT_OR_STRING,
        ANY
    }

    /** A single value; {@code zeroKept} if it is a pointer in Go, so that zero is not the same as nothing. */
    record Scalar(String goName, Shape shape, boolean zeroKept) implements GoType {}

    /** A list. */
    record ListOf(String goName, GoType element) implements GoType {}

    /** A map. */
    record MapOf(String goName, GoType element) implements GoType {}

    /** One of several types, distinguished by the JSON (object, array, boolean). */
    record Union(String goName, List<Alternative> alternatives) implements GoType {}

    /** A type with the number that it has in protobuf. */
    record Alternative(int number, GoType type) {}

    /**
     * A field of a struct.
     *
     * @param name its name in JSON; empty if it is a message of its own in protobuf alone and its fields are those of the struct
     * @param number its number in protobuf, 0 if it does not occur there
     * @param pointer whether it may be absent in Go
     * @param kept whether it is written even when empty
     * @param patch how strategic merge patches treat it
     * @param management how server-side apply treats it
     * @param published what OpenAPI says of its values
     */
    record Field(
            String name,
            int number,
            GoType type,
            boolean pointer,
            boolean kept,
            Patch patch,
            Management management,
            Published published) {
        /** Whether its fields are those of the struct in JSON. */
        public boolean isEmbedded() {
            return name.isEmpty();
        }

        /** What is meant where it is left out: for a field that Go always writes, its zero (kube-openapi); null if nothing is. */
        public @Nullable JsonNode defaultValue() {
            return (management.defaultValue() != null) || !kept || pointer ? management.defaultValue() : zero(type);
        }
    }

    /** The zero of a type that kube-openapi publishes as default; null if it publishes none. */
    static @Nullable JsonNode zero(GoType type) {
        return switch (type) {
            case Struct _ -> Json.object();
            case Scalar scalar ->
                switch (scalar.shape()) {
                    case STRING -> Json.nodes().stringNode("");
                    case INT32, INT64, NUMBER -> Json.nodes().numberNode(0);
                    case BOOLEAN -> Json.nodes().booleanNode(false);
                    case TIME, MICRO_TIME, BYTES, QUANTITY, INT_OR_STRING, ANY -> null;
                };
            case ListOf _, MapOf _, Union _ -> null;
        };
    }

    /**
     * What OpenAPI says of the values of a field beyond its type.
     *
     * @param required whether an object must have it
     * @param values those that its texts may be, none if any
     */
    record Published(boolean required, List<String> values) {
        static final Published NONE = new Published(false, List.of());

        public Published {
            values = List.copyOf(values);
        }
    }

    /**
     * How server-side apply treats a field (the markers {@code listType}, {@code listMapKey}, {@code mapType} and
     * {@code structType}).
     *
     * @param atomic whether an object is managed as a whole
     * @param granular whether it is managed by its members, although its type is managed as a whole elsewhere
     * @param associative whether a list is a set or a map
     * @param keys the members that identify the items of a map
     * @param defaultValue what is meant where it is left out, or null
     */
    record Management(
            boolean atomic,
            boolean granular,
            boolean associative,
            List<String> keys,
            @Nullable JsonNode defaultValue) {
        static final Management NONE = new Management(false, false, false, List.of(), null);

        Management withDefault(JsonNode value) {
            return new Management(atomic, granular, associative, keys, value);
        }

        public Management {
            keys = List.copyOf(keys);
        }
    }

    /**
     * How a strategic merge patch treats a field (the tags {@code patchStrategy} and {@code patchMergeKey}).
     *
     * @param strategies {@code merge} (a list is merged), {@code replace} (a map is replaced), {@code retainKeys}
     * @param mergeKey the member that identifies the elements of a list, or null
     */
    record Patch(Set<String> strategies, @Nullable String mergeKey) {
        static final Patch NONE = new Patch(Set.of(), null);

        public Patch {
            strategies = Set.copyOf(strategies);
        }
    }

    /** A struct of named fields. Filled once, before anything is decoded with it. */
    final class Struct implements GoType {
        private final String name;
        private final String goName;
        private final List<Field> declared = new ArrayList<>();
        private final Map<String, Field> fields = new LinkedHashMap<>();
        private final Map<Integer, Field> byNumber = new TreeMap<>();
        private boolean atomic;

        /** @param name its name in the table of types */
        Struct(String name) {
            this.name = name;
            this.goName = name.substring(name.lastIndexOf('/') + 1);
        }

        /** Its name in the table of types ({@code core/v1.PodSpec}). */
        public String name() {
            return name;
        }

        void makeAtomic() {
            atomic = true;
        }

        /** Whether server-side apply manages it as a whole wherever it occurs. */
        public boolean isAtomic() {
            return atomic;
        }

        /** As what server-side apply manages. */
        public ManagedType managed() {
            return ManagedGoType.of(this, Management.NONE);
        }

        void add(Field field) {
            declared.add(field);
            if (field.number() > 0) {
                byNumber.put(field.number(), field);
            }
        }

        /** Takes in the fields of embedded structs; called once all structs have theirs. */
        void complete() {
            if (fields.isEmpty()) {
                declared.forEach(this::take);
            }
        }

        private void take(Field field) {
            if (field.isEmbedded()) {
                ((Struct) field.type()).declared.forEach(this::take);
            } else {
                fields.put(field.name(), field);
            }
        }

        @Override
        public String goName() {
            return goName;
        }

        /** Its name without its package ({@code PodSpec}). */
        String simpleName() {
            return goName.substring(goName.lastIndexOf('.') + 1);
        }

        /** The embedded struct whose field one is, or null if it is this struct's own. */
        @Nullable
        Struct embedding(String field) {
            for (Field one : declared) {
                if (one.isEmbedded() && one.type() instanceof Struct struct && struct.fields.containsKey(field)) {
                    return struct;
                }
            }
            return null;
        }

        /** The field with a name in JSON, or null. */
        public @Nullable Field field(String name) {
            return fields.get(name);
        }

        /** The field with a number in protobuf, or null. */
        public @Nullable Field field(int number) {
            return byNumber.get(number);
        }

        /** The fields in JSON, in the order of the Go type. */
        public Iterable<Field> fields() {
            return fields.values();
        }

        /** The fields that protobuf knows, in the order of their numbers. */
        public Iterable<Field> wireFields() {
            return byNumber.values();
        }
    }
}
