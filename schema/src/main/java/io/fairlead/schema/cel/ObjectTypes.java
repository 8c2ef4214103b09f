package io.fairlead.schema.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The types of objects in the variables of an environment, by name. */
@Immutable
final class ObjectTypes implements CelTypeProvider {
    private final ImmutableMap<String, CelType> byName;

    ObjectTypes(Map<String, DeclaredType> variables) {
        Map<String, CelType> types = new HashMap<>();
        variables.values().forEach(type -> add(type, types));
        byName = ImmutableMap.copyOf(types);
    }

    private static void add(DeclaredType type, Map<String, CelType> types) {
        if (type.type() instanceof StructTypeReference reference && !types.containsKey(reference.name())) {
            ImmutableMap.Builder<String, CelType> builder = ImmutableMap.builder();
            type.fields().forEach((name, field) -> builder.put(name, field.type()));
            ImmutableMap<String, CelType> fields = builder.buildOrThrow();
            types.put(
                    reference.name(),
                    StructType.create(
                            reference.name(), fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
        }
        type.fields().values().forEach(field -> add(field, types));
        if (type.element() != null) {
            add(type.element(), types);
        }
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return byName.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
