package io.fairlead.schema.field;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a field is in an object: {@code spec.list[0].name}, {@code metadata.labels[a/b]}. Immutable. */
public final class FieldPath {
    /** The object itself; prints as {@code <nil>}, as in upstream's messages. */
    public static final FieldPath ROOT = new FieldPath(null, "");

    private final @Nullable FieldPath parent;
    private final String step;

    private FieldPath(@Nullable FieldPath parent, String step) {
        this.parent = parent;
        this.step = step;
    }

    /** The path of the members' names below the root. */
    public static FieldPath of(String first, String... more) {
        FieldPath path = ROOT.child(first);
        for (String name : more) {
            path = path.child(name);
        }
        return path;
    }

    /** The path of a member. */
    public FieldPath child(String name) {
        return new FieldPath(this, isRoot() ? name : "." + name);
    }

    /** The path of an element. */
    public FieldPath index(int index) {
        return new FieldPath(this, "[" + index + "]");
    }

    /** The path of a map's value. */
    public FieldPath key(String key) {
        return new FieldPath(this, "[" + key + "]");
    }

    public boolean isRoot() {
        return parent == null;
    }

    /** Whether it leads to a member of the object itself. */
    public boolean isOfMember() {
        return parent != null && parent.isRoot();
    }

    @Override
    public String toString() {
        return isRoot() ? "<nil>" : text();
    }

    /** As {@link #toString}, but empty at the root. */
    public String text() {
        List<String> steps = new ArrayList<>();
        for (@Nullable FieldPath path = this; path != null; path = path.parent) {
            steps.add(path.step);
        }
        return String.join("", steps.reversed());
    }
}
