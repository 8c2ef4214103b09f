package io.fairlead.fleet.pins;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Warns whoever writes a {@code TypePin} that is about nothing now. Silent until pins are held against the fleet. Thread-safe. */
public final class PinWarnings {
    private volatile @Nullable TypePins pins;

    /** Warns from now on by what these see. */
    public void by(TypePins seeing) {
        pins = seeing;
    }

    List<String> of(ObjectNode object) {
        TypePins seeing = pins;
        return seeing == null ? List.of() : seeing.warnings(object);
    }
}
