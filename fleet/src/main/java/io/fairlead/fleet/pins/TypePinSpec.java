package io.fairlead.fleet.pins;

import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Parses {@code TypePin} objects that passed validation. */
final class TypePinSpec {
    private final Supplier<Map<ClusterName, Map<String, String>>> registered;

    /**
     * For the registered clusters.
     *
     * @param registered the labels of each; a new map whenever one changes
     */
    TypePinSpec(Supplier<Map<ClusterName, Map<String, String>>> registered) {
        this.registered = registered;
    }

    TypePin read(JsonNode object) {
        JsonNode spec = object.path("spec");
        Set<String> verbs = texts(spec.path("verbs"));
        return new TypePin(
                object.path("metadata").path("name").asString(""),
                ClusterSelector.read(spec.path("clusters"), registered),
                spec.path("group").asString(""),
                spec.path("kind").asString(TypePin.EVERY),
                texts(spec.path("versions")),
                verbs.isEmpty() ? TypePin.WRITES : verbs,
                requirement(spec),
                texts(spec.path("implementations")),
                switch (spec.path("onMismatch").asString("")) {
                    case "Warn" -> Action.WARN;
                    case "Audit" -> Action.AUDIT;
                    default -> Action.DENY;
                });
    }

    private Requirement requirement(JsonNode spec) {
        if (spec.has("allow")) {
            return new Requirement.OneOf(
                    texts(spec.path("allow")).stream().map(TypeDigest::new).collect(Collectors.toSet()));
        }
        if (spec.has("compatibleWith")) {
            return new Requirement.CompatibleWith(
                    new TypeDigest(spec.path("compatibleWith").asString("")));
        }
        if (spec.has("consistentAcross")) {
            return new Requirement.SameAcross(ClusterSelector.read(spec.path("consistentAcross"), registered));
        }
        return new Requirement.Anything();
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new LinkedHashSet<>();
        array.values().forEach(text -> texts.add(text.asString("")));
        return texts;
    }
}
