package io.fairlead.schema.typed;

import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.managed.UnknownType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Management;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A Go type as what can be managed. A view: it takes no memory beyond a request.
 *
 * @param goType the type
 * @param management what the field that has it says
 */
record ManagedGoType(GoType goType, Management management)
        implements ManagedType, ManagedType.Members, ManagedType.Items {
    static ManagedType of(GoType goType, Management management) {
        return switch (goType) {
            case GoType.Scalar(String goName, GoType.Shape shape, boolean _)
            when shape == GoType.Shape.ANY ->
                goName.equals("runtime.RawExtension") ? UnknownType.ATOMIC : UnknownType.DEDUCED;
            case Union _ -> UnknownType.DEDUCED;
            default -> new ManagedGoType(goType, management);
        };
    }

    @Override
    public @Nullable Scalar scalar() {
        return goType instanceof GoType.Scalar scalar
                ? switch (scalar.shape()) {
                    case STRING, BYTES -> Scalar.STRING;
                    case INT32, INT64, NUMBER -> Scalar.NUMBER;
                    case BOOLEAN -> Scalar.BOOLEAN;
                    case TIME, MICRO_TIME, QUANTITY, INT_OR_STRING, ANY -> Scalar.ANY;
                }
                : null;
    }

    @Override
    public @Nullable Items items() {
        return goType instanceof ListOf ? this : null;
    }

    @Override
    public @Nullable Members members() {
        return goType instanceof Struct || goType instanceof MapOf ? this : null;
    }

    @Override
    public @Nullable JsonNode defaultValue() {
        return management.defaultValue();
    }

    @Override
    public @Nullable ManagedType declared(String name) {
        Field field = goType instanceof Struct struct ? struct.field(name) : null;
        return field == null ? null : of(field.type(), withZero(field));
    }

    private static Management withZero(Field field) {
        JsonNode value = field.defaultValue();
        return value == null || value.isObject()
                ? field.management()
                : field.management().withDefault(value);
    }

    @Override
    public @Nullable ManagedType others() {
        return goType instanceof MapOf(String _, GoType element) ? of(element, Management.NONE) : null;
    }

    @Override
    public boolean atomic() {
        return management.atomic() || (goType instanceof Struct struct && struct.isAtomic() && !management.granular());
    }

    @Override
    public ManagedType type() {
        return goType instanceof ListOf(String _, GoType element) ? of(element, Management.NONE) : UnknownType.ATOMIC;
    }

    @Override
    public boolean associative() {
        return management.associative();
    }

    @Override
    public List<String> keys() {
        return management.keys();
    }
}
