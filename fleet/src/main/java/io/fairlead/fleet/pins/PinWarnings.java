package io.fairlead.fleet.pins;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Warns the writer of a {@code TypePin} that applies to nothing now. Silent until pins are checked against the fleet. Thread-safe. */
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
