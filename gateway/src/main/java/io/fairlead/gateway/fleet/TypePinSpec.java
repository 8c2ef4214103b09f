package io.fairlead.gateway.fleet;

import io.fairlead.gateway.pin.ClusterSet;
import io.fairlead.gateway.pin.TypePin;
import io.fairlead.gateway.pin.TypePin.Action;
import io.fairlead.gateway.pin.TypePin.Requirement;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Reads {@code TypePin} objects, which their schema and rules have accepted. */
final class TypePinSpec {
    private final Map<ClusterName, Map<String, String>> clusters;

    /**
     * Over the registered clusters.
     *
     * @param clusters the labels of each
     */
    TypePinSpec(Map<ClusterName, Map<String, String>> clusters) {
        this.clusters = clusters;
    }

    TypePin read(JsonNode object) {
        JsonNode spec = object.path("spec");
        Set<String> verbs = texts(spec.path("verbs"));
        return new TypePin(
                object.path("metadata").path("name").asString(""),
                clusters(spec.path("clusters")),
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
            ClusterSet across = clusters(spec.path("consistentAcross"));
            return new Requirement.SameAcross(across.all() ? clusters.keySet() : across.names());
        }
        return new Requirement.Anything();
    }

    private ClusterSet clusters(JsonNode selector) {
        if (selector.path("all").asBoolean(false)) {
            return new ClusterSet(true, Set.of());
        }
        Set<ClusterName> names = new LinkedHashSet<>();
        texts(selector.path("matchNames")).forEach(name -> names.add(new ClusterName(name)));
        if (selector.has("matchLabels")) {
            clusters.forEach((name, labels) -> {
                if (matches(selector.path("matchLabels"), labels)) {
                    names.add(name);
                }
            });
        }
        return new ClusterSet(false, names);
    }

    private static boolean matches(JsonNode wanted, Map<String, String> labels) {
        return wanted.properties().stream()
                .allMatch(label -> label.getValue().asString("").equals(labels.get(label.getKey())));
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new LinkedHashSet<>();
        array.values().forEach(text -> texts.add(text.asString("")));
        return texts;
    }
}
