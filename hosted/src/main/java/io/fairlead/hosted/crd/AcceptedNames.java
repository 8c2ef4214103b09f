package io.fairlead.hosted.crd;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.crd.CustomResourceDefinition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The names that the definitions of a cluster have, by group and name, so that a look-up costs the same however many
 * definitions there are.
 *
 * <p>Threads: confined to one.
 */
public final class AcceptedNames {
    /** The owner of built-in kinds' names; no definition has this name. */
    private static final String BUILT_IN = "";

    private final Map<String, Group> groups = new HashMap<>();
    private final Map<String, String> groupOf = new HashMap<>();

    /** The names that built-in kinds have taken. */
    public AcceptedNames(List<ResourceType> builtIn) {
        for (ResourceType type : builtIn) {
            Group group = group(type.group());
            Names names =
                    new Names(new HashSet<>(type.shortNames()), new HashSet<>(Set.of(type.kind(), type.listKind())));
            names.resources.add(type.plural());
            names.resources.add(type.singular());
            group.hold(BUILT_IN, names);
        }
    }

    /** Records the accepted names in a definition's status. */
    public void put(JsonNode definition) {
        put(
                definition.path("metadata").path("name").asString(""),
                definition.path("spec").path("group").asString(""),
                definition.path("status").path("acceptedNames"));
    }

    /** Records the names that a definition has accepted now. */
    public void put(CustomResourceDefinition definition, JsonNode accepted) {
        put(definition.name(), definition.group(), accepted);
    }

    /** Removes a definition; returns the others of its group, which may have waited for its names. */
    public Set<String> remove(String definition) {
        String name = groupOf.remove(definition);
        if (name == null) {
            return Set.of();
        }
        Group group = group(name);
        group.release(definition);
        Set<String> others = new HashSet<>(group.byDefinition.keySet());
        if (others.isEmpty() && group.resources.isEmpty()) {
            groups.remove(name);
        }
        return others;
    }

    /** Whether another definition, or a built-in kind, has a resource name; includes singular and short names. */
    boolean isResourceTaken(CustomResourceDefinition definition, String name) {
        return isTaken(group(definition.group()).resources, definition, name);
    }

    /** Whether another definition, or a built-in kind, has a kind or list kind. */
    boolean isKindTaken(CustomResourceDefinition definition, String name) {
        return isTaken(group(definition.group()).kinds, definition, name);
    }

    private static boolean isTaken(Map<String, Set<String>> holders, CustomResourceDefinition definition, String name) {
        Set<String> held = holders.getOrDefault(name, Set.of());
        return held.size() > (held.contains(definition.name()) ? 1 : 0);
    }

    private void put(String definition, String groupName, JsonNode accepted) {
        Names names = new Names(new HashSet<>(Meta.strings(accepted.path("shortNames"))), new HashSet<>());
        names.resources.add(accepted.path("plural").asString(""));
        names.resources.add(accepted.path("singular").asString(""));
        names.resources.remove("");
        names.kinds.add(accepted.path("kind").asString(""));
        names.kinds.add(accepted.path("listKind").asString(""));
        names.kinds.remove("");
        Group group = group(groupName);
        group.release(definition);
        group.byDefinition.put(definition, names);
        group.hold(definition, names);
        groupOf.put(definition, groupName);
    }

    private Group group(String name) {
        return groups.computeIfAbsent(name, g -> new Group());
    }

    private record Names(Set<String> resources, Set<String> kinds) {}

    /** Resource names, singular and short ones included, share one space; kinds and list kinds share another. */
    private static final class Group {
        private final Map<String, Names> byDefinition = new HashMap<>();
        private final Map<String, Set<String>> resources = new HashMap<>();
        private final Map<String, Set<String>> kinds = new HashMap<>();

        void hold(String holder, Names names) {
            names.resources.forEach(name ->
                    resources.computeIfAbsent(name, n -> new HashSet<>()).add(holder));
            names.kinds.forEach(
                    name -> kinds.computeIfAbsent(name, n -> new HashSet<>()).add(holder));
        }

        void release(String holder) {
            Names names = byDefinition.remove(holder);
            if (names != null) {
                names.resources.forEach(name -> release(resources, name, holder));
                names.kinds.forEach(name -> release(kinds, name, holder));
            }
        }

        private static void release(Map<String, Set<String>> names, String name, String holder) {
            names.computeIfPresent(name, (n, holders) -> {
                holders.remove(holder);
                return holders.isEmpty() ? null : holders;
            });
        }
    }
}
