package io.fairlead.schema.cel;

import io.fairlead.schema.cel.cost.Estimate;
import io.fairlead.schema.cel.cost.SizeEstimator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sizes that the types of variables allow. As in apiserver, a path that begins with no variable begins at {@code self}.
 */
record DeclaredSizes(Map<String, DeclaredType> variables) implements SizeEstimator {
    @Override
    public Optional<Estimate> estimate(List<String> path) {
        DeclaredType type = path.isEmpty() ? null : variables.getOrDefault(path.getFirst(), variables.get("self"));
        for (int i = 1; i < path.size() && type != null; i++) {
            type = switch (path.get(i)) {
                case "@items", "@values" -> type.element();
                case "@keys" -> type.key();
                case String field -> type.fields().get(field);
            };
        }
        return Optional.ofNullable(type).map(found -> new Estimate(0, found.elementsMax()));
    }
}
