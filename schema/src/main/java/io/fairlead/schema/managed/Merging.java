package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An applied configuration merged into an object: what is managed in parts is merged, anything else is replaced
 * (structured-merge-diff {@code typed/merge.go}).
 */
final class Merging {
    private Merging() {}

    /** The object with the configuration, a new tree that may share parts with both; null if nothing is left. */
    static @Nullable JsonNode merge(ManagedType type, @Nullable JsonNode live, @Nullable JsonNode applied) {
        Part part = applied == null ? Part.of(type, live) : Part.of(type, applied);
        JsonNode replaced = applied == null ? live : applied;
        return switch (part) {
            case SCALAR -> replaced;
            case MEMBERS -> {
                ManagedType.Members members = type.members();
                yield members == null || members.atomic() || !(Part.hasMembers(live) || Part.hasMembers(applied))
                        ? replaced
                        : members(members, live, applied);
            }
            case ITEMS -> {
                ManagedType.Items items = type.items();
                yield items == null || !items.associative() || !(Part.hasItems(live) || Part.hasItems(applied))
                        ? replaced
                        : items(items, live, applied);
            }
        };
    }

    private static @Nullable JsonNode members(
            ManagedType.Members members, @Nullable JsonNode live, @Nullable JsonNode applied) {
        ObjectNode merged = Json.object();
        for (String name : Part.names(live, applied)) {
            ManagedType inner = members.type(name);
            JsonNode value = merge(
                    inner == null ? UnknownType.DEDUCED : inner, Part.member(live, name), Part.member(applied, name));
            if (value != null) {
                merged.set(name, value);
            }
        }
        return merged.isEmpty() ? null : merged;
    }

    /**
     * The items of both lists: those of the configuration in its order, the others behind the shared item that they followed.
     * An item that the object has more than once is replaced by the one of the configuration.
     */
    private static @Nullable JsonNode items(
            ManagedType.Items items, @Nullable JsonNode live, @Nullable JsonNode applied) {
        List<JsonNode> left = Part.identified(items, live);
        List<JsonNode> right = Part.identified(items, applied);
        NavigableMap<PathElement, List<JsonNode>> lefts = Part.itemsOf(items, live);
        NavigableMap<PathElement, List<JsonNode>> rights = Part.itemsOf(items, applied);
        Deque<PathElement> shared = new ArrayDeque<>();
        right.stream()
                .map(item -> Part.element(items, item))
                .filter(lefts::containsKey)
                .forEach(shared::add);
        Set<PathElement> placed = new TreeSet<>();
        ArrayNode merged = Json.array();
        int l = 0;
        int r = 0;
        while (l < left.size() || r < right.size()) {
            PathElement ours = l < left.size() ? Part.element(items, left.get(l)) : null;
            PathElement theirs = r < right.size() ? Part.element(items, right.get(r)) : null;
            boolean same = ours != null && theirs != null && ours.compareTo(theirs) == 0;
            if (ours != null && !same) {
                PathElement next = shared.peek();
                if (!rights.containsKey(ours)) {
                    add(merged, merge(items.type(), left.get(l), null));
                    l++;
                    continue;
                }
                if (theirs != null && next != null && next.compareTo(ours) != 0) {
                    l++; // stands elsewhere in the configuration
                    continue;
                }
                if (placed.contains(ours)) {
                    l++;
                }
            }
            if (theirs != null) {
                List<JsonNode> there = lefts.getOrDefault(theirs, List.of());
                add(merged, merge(items.type(), there.size() == 1 ? there.getFirst() : null, right.get(r)));
                placed.add(theirs);
                r++;
                l += same ? 1 : 0;
                PathElement next = shared.peek();
                if (same || (next != null && next.compareTo(theirs) == 0)) {
                    shared.poll();
                }
            }
        }
        return merged.isEmpty() ? null : merged;
    }

    private static void add(ArrayNode list, @Nullable JsonNode item) {
        if (item != null) {
            list.add(item);
        }
    }
}
