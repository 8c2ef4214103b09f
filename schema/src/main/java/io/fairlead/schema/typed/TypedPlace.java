package io.fairlead.schema.typed;

import io.fairlead.schema.typed.GoType.Struct;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Where a value stands; a text only when it is told, since names may be as long as a body.
 *
 * @param name the path of the tree at the root, else the name of a field, the key of an entry, or an index in brackets
 * @param isField whether Go knows it as a field of a struct
 * @param struct the name of the innermost struct of which a field leads here; empty if none does
 */
record TypedPlace(@Nullable TypedPlace parent, String name, boolean isField, String struct) {
    private static final int CHARS_MAX = 1000;

    static TypedPlace root(String path) {
        return new TypedPlace(null, path, false, "");
    }

    /** A field of a struct. */
    TypedPlace child(String field, Struct of) {
        return new TypedPlace(this, field, true, of.simpleName());
    }

    /** The struct that the struct here embeds: Go tells of it, Kubernetes does not. */
    TypedPlace embedded(Struct struct) {
        return new TypedPlace(this, struct.simpleName(), true, struct.simpleName());
    }

    private boolean isEmbedded() {
        return isField && name.equals(struct);
    }

    /** A field that no struct has. */
    TypedPlace child(String field) {
        return new TypedPlace(this, field, true, struct);
    }

    TypedPlace entry(String key) {
        return new TypedPlace(this, key, false, struct);
    }

    TypedPlace item(int index) {
        return new TypedPlace(this, "[" + index + "]", false, struct);
    }

    /** The path as Kubernetes tells it ({@code spec.list[0].name}). */
    String path() {
        return text(false);
    }

    /** The path as Go tells it, of fields alone ({@code spec.list.name}). */
    String field() {
        return text(true);
    }

    private String text(boolean fieldsOnly) {
        Deque<TypedPlace> places = new ArrayDeque<>();
        for (TypedPlace place = this; place != null; place = place.parent) {
            if (fieldsOnly ? place.isField : !place.isEmbedded()) {
                places.push(place);
            }
        }
        StringBuilder text = new StringBuilder();
        for (TypedPlace place : places) {
            if (!text.isEmpty() && !place.name.startsWith("[")) {
                text.append('.');
            }
            text.append(place.name, 0, Math.min(place.name.length(), CHARS_MAX));
            if (text.length() > CHARS_MAX) {
                int end = Character.isHighSurrogate(text.charAt(CHARS_MAX - 1)) ? CHARS_MAX - 1 : CHARS_MAX;
                return text.substring(0, end) + "...";
            }
        }
        return text.toString();
    }
}
