package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The fields in which one object differs from another (structured-merge-diff {@code typed/compare.go}).
 *
 * @param added the fields that only the new object has
 * @param modified the fields with another value
 * @param removed the fields that only the old object has
 */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {
    static Comparison of(ManagedType type, JsonNode old, JsonNode now) {
        Comparison comparison = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
        new Place(null, null, comparison.added, comparison.modified, comparison.removed).compare(type, old, now);
        return comparison;
    }

    Comparison without(FieldSet ignored) {
        return ignored.isEmpty()
                ? this
                : new Comparison(added.without(ignored), modified.without(ignored), removed.without(ignored));
    }

    /** The fields that the new object has otherwise. */
    FieldSet changed() {
        return modified.union(added);
    }

    /** A place of both objects. Its nodes in the sets are made when a field is found to differ, as most do not. */
    private static final class Place {
        private static final int ADDED = 0;
        private static final int MODIFIED = 1;
        private static final int REMOVED = 2;

        private final @Nullable Place above;
        private final @Nullable PathElement element;
        private final @Nullable FieldSet[] nodes;

        /** @param nodes the node of the place in each of the sets, if it is made */
        Place(@Nullable Place above, @Nullable PathElement element, @Nullable FieldSet... nodes) {
            this.above = above;
            this.element = element;
            this.nodes = nodes;
        }

        private Place at(PathElement inner) {
            return new Place(this, inner, new FieldSet[nodes.length]);
        }

        private void note(int set) {
            node(set).insert();
        }

        private FieldSet node(int set) {
            FieldSet node = nodes[set];
            if (node == null) {
                node = Objects.requireNonNull(above).node(set).at(Objects.requireNonNull(element));
                nodes[set] = node;
            }
            return node;
        }

        private void compare(ManagedType type, @Nullable JsonNode old, @Nullable JsonNode now) {
            Part before = Part.of(type, old);
            Part after = Part.of(type, now);
            boolean whole = now == null ? compareAs(before, type, old, now) : compareAs(after, type, old, now);
            if (old != null && now != null && before != after) {
                compareAs(before, type, old, now);
            } else if (!whole && old == null) {
                note(ADDED);
            } else if (!whole && now == null) {
                note(REMOVED);
            }
        }

        /** Compares as one kind of value, and tells whether as a whole. */
        private boolean compareAs(Part part, ManagedType type, @Nullable JsonNode old, @Nullable JsonNode now) {
            return switch (part) {
                case SCALAR -> compareWhole(old, now);
                case MEMBERS -> {
                    ManagedType.Members members = type.members();
                    boolean parts = Part.hasMembers(old) || Part.hasMembers(now);
                    if (members == null || members.atomic() || !parts) {
                        yield compareWhole(old, now);
                    }
                    for (String name : Part.names(old, now)) {
                        ManagedType inner = members.type(name);
                        at(new PathElement.Member(name))
                                .compare(
                                        inner == null ? UnknownType.DEDUCED : inner,
                                        Part.member(old, name),
                                        Part.member(now, name));
                    }
                    yield false;
                }
                case ITEMS -> {
                    ManagedType.Items items = type.items();
                    boolean parts = Part.hasItems(old) || Part.hasItems(now);
                    if (items == null || !items.associative() || !parts) {
                        yield compareWhole(old, now);
                    }
                    compareItems(items, old, now);
                    yield false;
                }
            };
        }

        private boolean compareWhole(@Nullable JsonNode old, @Nullable JsonNode now) {
            if (old == null) {
                note(ADDED);
            } else if (now == null) {
                note(REMOVED);
            } else if (!ValueOrder.same(old, now)) {
                note(MODIFIED);
            }
            return true;
        }

        private void compareItems(ManagedType.Items items, @Nullable JsonNode old, @Nullable JsonNode now) {
            NavigableMap<PathElement, List<JsonNode>> before = Part.itemsOf(items, old);
            NavigableMap<PathElement, List<JsonNode>> after = Part.itemsOf(items, now);
            TreeSet<PathElement> elements = new TreeSet<>(before.keySet());
            elements.addAll(after.keySet());
            for (PathElement element : elements) {
                at(element)
                        .compareItem(
                                items.type(),
                                before.getOrDefault(element, List.of()),
                                after.getOrDefault(element, List.of()));
            }
        }

        /** Items that occur more than once are managed as a whole, all of them together. */
        private void compareItem(ManagedType type, List<JsonNode> old, List<JsonNode> now) {
            if (old.size() > 1 && now.size() > 1) {
                if (!ValueOrder.same(list(old), list(now))) {
                    note(MODIFIED);
                }
                return;
            }
            if (old.size() > 1) {
                now.stream().findFirst().ifPresent(item -> compare(type, null, item));
                note(REMOVED);
            } else if (now.size() > 1) {
                old.stream().findFirst().ifPresent(item -> compare(type, item, null));
                note(ADDED);
            } else {
                compare(type, old.isEmpty() ? null : old.getFirst(), now.isEmpty() ? null : now.getFirst());
            }
        }

        private static ArrayNode list(List<JsonNode> items) {
            return Json.array().addAll(items);
        }
    }
}
