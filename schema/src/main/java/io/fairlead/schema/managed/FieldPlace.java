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

    private static final int ELEMENT_CHARS_MAX = 256;
    private static final int ELEMENTS_MAX = 64;

    FieldPlace at(PathElement inner) {
        return new FieldPlace(this, inner);
    }

    @Override
    public String toString() {
        List<String> steps = new ArrayList<>();
        for (@Nullable FieldPlace place = this; place != null && place.element != null; place = place.above) {
            if (steps.size() == ELEMENTS_MAX) {
                steps.add("…");
                break;
            }
            steps.add(cut(place.element));
        }
        return String.join("", steps.reversed());
    }

    /** A step as in messages, not too long. */
    static String cut(PathElement element) {
        String text = element.toString();
        return text.length() <= ELEMENT_CHARS_MAX ? text : text.substring(0, ELEMENT_CHARS_MAX) + "…";
    }
}
