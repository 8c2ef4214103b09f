package io.fairlead.fleet;

import io.fairlead.model.GroupResource;
import io.fairlead.model.HistoryMode;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of events of a cluster's watches that go back in time, as far as its registration says.
 *
 * @param ofCluster for resources that are not named; null if the registration does not say
 * @param ofResources by {@code resource.group}
 */
public record HistoryModes(@Nullable HistoryMode ofCluster, Map<String, HistoryMode> ofResources) {
    /** Nothing is said. */
    public static final HistoryModes UNSET = new HistoryModes(null, Map.of());

    public HistoryModes {
        ofResources = Map.copyOf(ofResources);
    }

    /** Of the spec of a validated {@code Cluster}. */
    static HistoryModes of(JsonNode spec) {
        Map<String, HistoryMode> ofResources = new HashMap<>();
        spec.path("historyModes")
                .forEachEntry((resource, mode) ->
                        parse(mode.asString("")).ifPresent(known -> ofResources.put(resource, known)));
        HistoryMode ofCluster = parse(spec.path("historyMode").asString("")).orElse(null);
        return ofCluster == null && ofResources.isEmpty() ? UNSET : new HistoryModes(ofCluster, ofResources);
    }

    public HistoryMode of(GroupResource resource, HistoryMode byDefault) {
        HistoryMode named = ofResources.isEmpty() ? null : ofResources.get(resource.toString());
        if (named != null) {
            return named;
        }
        return ofCluster == null ? byDefault : ofCluster;
    }

    private static Optional<HistoryMode> parse(String text) {
        return EnumSet.allOf(HistoryMode.class).stream()
                .filter(mode -> text(mode).equals(text))
                .findFirst();
    }

    /** As the registration spells it: {@code Enforce}. */
    private static String text(HistoryMode mode) {
        return mode.name().charAt(0) + mode.name().substring(1).toLowerCase(Locale.ROOT);
    }
}
