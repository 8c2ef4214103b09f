package io.fairlead.schema.managed;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a field is, written out when a message needs it ({@code .spec.ports[port=80]}). Names and values may be as long as a body:
 * long ones are cut, and so is the path.
 *
 * @param above where the container of the field is; null at the root
 * @param element the last step; null at the root
 */
record FieldPlace(@Nullable FieldPlace above, @Nullable PathElement element) {
    static final FieldPlace ROOT = new FieldPlace(null, null);

    private static final int TEXT_CHARS_MAX = 200;
    private static final int PATH_CHARS_MAX = 1_000;

    FieldPlace at(PathElement inner) {
        return new FieldPlace(this, inner);
    }

    @Override
    public String toString() {
        List<String> steps = new ArrayList<>();
        int chars = 0;
        for (@Nullable FieldPlace place = this; place != null && place.element != null; place = place.above) {
            String step = cut(place.element.toString());
            chars += step.length();
            if (chars > PATH_CHARS_MAX) {
                steps.add("…");
                break;
            }
            steps.add(step);
        }
        return String.join("", steps.reversed());
    }

    /** A text for a message, not too long. */
    static String cut(String text) {
        if (text.length() <= TEXT_CHARS_MAX) {
            return text;
        }
        boolean halves = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1));
        return text.substring(0, halves ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX) + "…";
    }
}
