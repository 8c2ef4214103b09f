package io.fairlead.hosted.crd;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.crd.CustomResourceDefinition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The names that the definitions of a cluster have, by group and name, so that a look-up costs the same however many
 * definitions there are.
 *
 * <p>Threads: confined to one.
 */
public final class AcceptedNames {
    private final List<ResourceType> builtIn;
    private final Map<String, Group> groups = new HashMap<>();
    private final Map<String, String> groupOf = new HashMap<>();

    /** The names that built-in kinds have taken. */
    public AcceptedNames(List<ResourceType> builtIn) {
        this.builtIn = List.copyOf(builtIn);
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
        if (others.isEmpty()) {
            groups.remove(name);
        }
        return others;
    }

    /** Whether another definition, or a built-in kind, has a resource name; includes singular and short names. */
    boolean isResourceTaken(CustomResourceDefinition definition, String name) {
        return isBuiltIn(
                        definition,
                        type -> type.plural().equals(name)
                                || type.singular().equals(name)
                                || type.shortNames().contains(name))
                || isTaken(group(definition.group()).resources, definition, name);
    }

    /** Whether another definition, or a built-in kind, has a kind or list kind. */
    boolean isKindTaken(CustomResourceDefinition definition, String name) {
        return isBuiltIn(
                        definition,
                        type -> type.kind().equals(name) || type.listKind().equals(name))
                || isTaken(group(definition.group()).kinds, definition, name);
    }

    /** Whether a kind of the definition's group matches: there are few, and they are the same in all clusters. */
    private boolean isBuiltIn(CustomResourceDefinition definition, Predicate<ResourceType> matching) {
        return builtIn.stream().anyMatch(type -> type.group().equals(definition.group()) && matching.test(type));
    }

    private static boolean isTaken(Map<String, Set<String>> holders, CustomResourceDefinition definition, String name) {
        Set<String> held = holders.getOrDefault(name, Set.of());
        return held.size() > (held.contains(definition.name()) ? 1 : 0);
    }

    private void put(String definition, String groupName, JsonNode accepted) {
        Names names = new Names(
                Stream.concat(Meta.strings(accepted.path("shortNames")).stream(), texts(accepted, "plural", "singular"))
                        .collect(Collectors.toCollection(TreeSet::new)),
                texts(accepted, "kind", "listKind").collect(Collectors.toCollection(TreeSet::new)));
        Group group = group(groupName);
        group.release(definition);
        group.byDefinition.put(definition, names);
        group.hold(definition, names);
        groupOf.put(definition, groupName);
    }

    private static Stream<String> texts(JsonNode accepted, String... members) {
        return Stream.of(members)
                .map(member -> accepted.path(member).asString(""))
                .filter(text -> !text.isEmpty());
    }

    private Group group(String name) {
        return groups.computeIfAbsent(name, _ -> new Group());
    }

    /** Trees, which are small, and which no choice of names makes slow. */
    private record Names(Set<String> resources, Set<String> kinds) {}

    /** Resource names, singular and short ones included, share one space; kinds and list kinds share another. */
    private static final class Group {
        private final Map<String, Names> byDefinition = new HashMap<>();
        private final Map<String, Set<String>> resources = new HashMap<>();
        private final Map<String, Set<String>> kinds = new HashMap<>();

        void hold(String holder, Names names) {
            names.resources.forEach(name -> hold(resources, name, holder));
            names.kinds.forEach(name -> hold(kinds, name, holder));
        }

        void release(String holder) {
            Names names = byDefinition.remove(holder);
            if (names != null) {
                names.resources.forEach(name -> release(resources, name, holder));
                names.kinds.forEach(name -> release(kinds, name, holder));
            }
        }

        /** Nearly every name has one holder. */
        private static void hold(Map<String, Set<String>> names, String name, String holder) {
            names.merge(name, Set.of(holder), (holders, one) -> {
                Set<String> all = new HashSet<>(holders);
                all.addAll(one);
                return all;
            });
        }

        private static void release(Map<String, Set<String>> names, String name, String holder) {
            names.computeIfPresent(name, (_, holders) -> {
                Set<String> others = new HashSet<>(holders);
                others.remove(holder);
                return others.isEmpty() ? null : others;
            });
        }
    }
}
