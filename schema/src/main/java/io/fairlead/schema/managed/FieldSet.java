package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A set of the fields of an object, each a path from the root, as {@code fieldsV1} writes it ({@code fieldpath/set.go}): an
 * object of path elements, where {@code "."} says that the field itself belongs to the set and not only fields below it.
 *
 * <p>Operations return new sets, which may share parts with their operands; a set that was handed out is not changed any more.
 */
public final class FieldSet {
    /** How deep a set may be: deeper than any object that can be read. */
    private static final int DEPTH_MAX = Json.DEPTH_MAX + 1;

    private static final NavigableMap<PathElement, FieldSet> NOTHING = Collections.emptyNavigableMap();

    private boolean member;
    private NavigableMap<PathElement, FieldSet> below = NOTHING;

    FieldSet() {}

    /** The set of single fields, each named by its members from the root. */
    public static FieldSet of(List<List<String>> paths) {
        FieldSet set = new FieldSet();
        for (List<String> path : paths) {
            FieldSet at = set;
            for (String name : path) {
                at = at.at(new PathElement.Member(name));
            }
            at.insert();
        }
        return set;
    }

    /**
     * Reads {@code fieldsV1}. Elements of unknown kinds are left out.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static FieldSet read(JsonNode fieldsV1) {
        FieldSet set = new FieldSet();
        read(fieldsV1, set, 0);
        set.member = false;
        return set;
    }

    private static void read(JsonNode node, FieldSet into, int depth) {
        if (!(node instanceof ObjectNode object) || depth > DEPTH_MAX) {
            throw new IllegalArgumentException("fieldsV1 has a " + node.getNodeType() + " at depth " + depth
                    + " (expected objects, at most " + DEPTH_MAX + " deep)");
        }
        object.forEachEntry((key, value) -> {
            if (key.equals(".")) {
                into.insert();
            } else {
                PathElement.read(key).ifPresent(element -> read(value, into.at(element), depth + 1));
            }
        });
        if (into.below.isEmpty()) {
            into.insert();
        }
    }

    /** As {@code fieldsV1}. All fields without others below them are one empty object, as a set may have very many. */
    public ObjectNode write() {
        return write(Json.object());
    }

    private ObjectNode write(ObjectNode leaf) {
        if (below.isEmpty()) {
            return leaf;
        }
        ObjectNode object = Json.object();
        below.forEach((element, set) -> {
            ObjectNode fields = Json.object();
            if (set.member && !set.below.isEmpty()) {
                fields.set(".", leaf);
                fields.setAll(set.write(leaf));
            } else {
                fields = set.write(leaf);
            }
            object.set(element.text(), fields);
        });
        return object;
    }

    public boolean isEmpty() {
        return below.isEmpty();
    }

    /** Whether a field that is named by its members belongs to the set. */
    public boolean has(List<String> path) {
        FieldSet at = this;
        for (String name : path) {
            at = at.below.get(new PathElement.Member(name));
            if (at == null) {
                return false;
            }
        }
        return at.member;
    }

    /** The fields of either. */
    public FieldSet union(FieldSet other) {
        FieldSet union = new FieldSet();
        union.member = member || other.member;
        below.forEach(union::put);
        other.below.forEach((element, set) -> {
            FieldSet mine = below.get(element);
            union.put(element, mine == null ? set : mine.union(set));
        });
        return union;
    }

    /** Takes the fields of another set into this one, which is still being made. */
    void absorb(FieldSet other) {
        member |= other.member;
        other.below.forEach((element, set) -> at(element).absorb(set));
    }

    /** The fields of both. */
    public FieldSet intersection(FieldSet other) {
        FieldSet both = new FieldSet();
        both.member = member && other.member;
        below.forEach((element, set) -> {
            FieldSet theirs = other.below.get(element);
            if (theirs != null) {
                both.keep(element, set.intersection(theirs));
            }
        });
        return both;
    }

    /** The fields of this set alone. */
    public FieldSet difference(FieldSet other) {
        FieldSet rest = new FieldSet();
        rest.member = member && !other.member;
        below.forEach((element, set) -> {
            FieldSet theirs = other.below.get(element);
            rest.keep(element, theirs == null ? set : set.difference(theirs));
        });
        return rest;
    }

    /** The fields that are neither in another set nor below one of its fields. */
    public FieldSet without(FieldSet other) {
        FieldSet rest = new FieldSet();
        rest.member = member && !other.member;
        below.forEach((element, set) -> {
            FieldSet theirs = other.below.get(element);
            if (theirs == null) {
                rest.keep(element, set);
            } else if (!theirs.member) {
                rest.keep(element, set.without(theirs));
            }
        });
        return rest;
    }

    /** With each declared member that has a field of the set below it: its manager keeps the member too. */
    FieldSet withDeclaredMembers(@Nullable ManagedType type) {
        FieldSet set = new FieldSet();
        set.member = member;
        below.forEach((element, fields) -> {
            ManagedType inner = null;
            boolean declared = false;
            if (type != null && element instanceof PathElement.Member(String name) && type.members() != null) {
                declared = type.members().declared(name) != null;
                inner = type.members().type(name);
            } else if (type != null && element instanceof PathElement.Keyed && type.items() != null) {
                inner = type.items().type();
            }
            FieldSet marked = fields.withDeclaredMembers(inner);
            marked.member |= declared;
            set.put(element, marked);
        });
        return set;
    }

    /** How many fields it has. */
    int size() {
        int size = 0;
        for (FieldSet set : below.values()) {
            size += (set.member ? 1 : 0) + set.size();
        }
        return size;
    }

    /** Gives the path of each field, in the order of upstream: at each level first the level itself. */
    void forEachPath(Predicate<FieldPlace> action) {
        forEachPath(FieldPlace.ROOT, action);
    }

    /** Whether to go on. */
    private boolean forEachPath(FieldPlace here, Predicate<FieldPlace> action) {
        for (Map.Entry<PathElement, FieldSet> field : below.entrySet()) {
            if (field.getValue().member && !action.test(here.at(field.getKey()))) {
                return false;
            }
        }
        for (Map.Entry<PathElement, FieldSet> field : below.entrySet()) {
            if (!field.getValue().forEachPath(here.at(field.getKey()), action)) {
                return false;
            }
        }
        return true;
    }

    // While a set is made:

    /** The node of an element, made if there is none. */
    FieldSet at(PathElement element) {
        FieldSet node = below.get(element);
        if (node == null) {
            node = new FieldSet();
            put(element, node);
        }
        return node;
    }

    private void put(PathElement element, FieldSet node) {
        if (below.isEmpty()) {
            below = new TreeMap<>();
        }
        below.put(element, node);
    }

    /** Makes this node a field of the set. */
    void insert() {
        member = true;
    }

    /** Takes away the nodes that hold no field. */
    FieldSet compact() {
        if (!below.isEmpty()) {
            below.values().removeIf(set -> set.compact().isNothing());
        }
        return this;
    }

    boolean isMember() {
        return member;
    }

    /** The node of an element; null if the set has no field there. */
    @Nullable
    FieldSet below(PathElement element) {
        return below.get(element);
    }

    Iterable<Map.Entry<PathElement, FieldSet>> elements() {
        return below.entrySet();
    }

    private boolean isNothing() {
        return !member && below.isEmpty();
    }

    private void keep(PathElement element, FieldSet set) {
        if (!set.isNothing()) {
            put(element, set);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet set && member == set.member && below.equals(set.below);
    }

    @Override
    public int hashCode() {
        return 2 * below.size() + (member ? 1 : 0);
    }

    @Override
    public String toString() {
        return Json.text(write());
    }
}
