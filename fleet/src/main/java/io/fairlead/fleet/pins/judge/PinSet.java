package io.fairlead.fleet.pins.judge;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All pins of one moment, by group; immutable. */
public final class PinSet {
    public static final PinSet NONE = new PinSet(List.of());

    private final Map<String, List<TypePin>> byGroup;

    public PinSet(Collection<TypePin> pins) {
        byGroup = pins.stream()
                .sorted(Comparator.comparing(TypePin::name))
                .collect(Collectors.collectingAndThen(
                        Collectors.groupingBy(TypePin::group, Collectors.toUnmodifiableList()), Map::copyOf));
    }

    /** The pins of a group, ordered by name. */
    public List<TypePin> of(String group) {
        return byGroup.getOrDefault(group, List.of());
    }
}
