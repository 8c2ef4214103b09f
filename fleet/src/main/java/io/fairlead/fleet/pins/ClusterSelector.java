package io.fairlead.fleet.pins;

import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status.Cause;
import io.fairlead.schema.meta.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The field by which kinds of {@code fairlead.io} choose clusters: {@code matchNames}, {@code matchLabels} or {@code all}. */
public final class ClusterSelector {
    private static final List<String> FORMS = List.of("matchNames", "matchLabels", "all");

    private ClusterSelector() {}

    /**
     * The clusters of a field that was validated.
     *
     * @param registered the labels of each registered cluster; a new map whenever one changes
     */
    public static ClusterSet read(JsonNode selector, Supplier<Map<ClusterName, Map<String, String>>> registered) {
        if (selector.path("all").asBoolean(false)) {
            return new ClusterSet.All(registered);
        }
        if (selector.has("matchLabels")) {
            Map<String, String> labels = new HashMap<>();
            selector.path("matchLabels")
                    .properties()
                    .forEach(
                            label -> labels.put(label.getKey(), label.getValue().asString("")));
            return new ClusterSet.Labelled(labels, registered);
        }
        return new ClusterSet.Named(selector.path("matchNames").values().stream()
                .map(name -> new ClusterName(name.asString("")))
                .collect(Collectors.toSet()));
    }

    /**
     * The clusters of a field that was validated, each once: labels, and {@code all}, select no alias. For what is done in clusters,
     * or compared between them, and would be done twice; what is required of requests holds for each registration.
     */
    public static ClusterSet readWithoutAliases(JsonNode selector, RegisteredClusters registered) {
        ClusterSet all = read(selector, registered);
        return all instanceof ClusterSet.Named ? all : new WithoutAliases(all, registered);
    }

    /** The members of another set that are no alias. */
    private record WithoutAliases(ClusterSet of, RegisteredClusters registered) implements ClusterSet {
        @Override
        public boolean has(ClusterName cluster) {
            return of.has(cluster) && registered.aliasOf(cluster) == null;
        }

        @Override
        public Set<ClusterName> names() {
            return of.names().stream()
                    .filter(name -> registered.aliasOf(name) == null)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /** Adds what is wrong with a field beyond its schema. */
    public static void check(JsonNode selector, String field, List<Cause> causes) {
        List<String> said = FORMS.stream().filter(selector::has).toList();
        if (said.size() != 1) {
            causes.add(invalid(field, "exactly one of " + FORMS + " is expected, " + said + " are set"));
        } else if (selector.has("all") && !selector.path("all").asBoolean(false)) {
            causes.add(invalid(field + ".all", "false: true is expected, or one of " + FORMS.subList(0, 2)));
        }
        checkLabels(selector.path("matchLabels"), field + ".matchLabels", causes);
    }

    /** Adds what is wrong with labels to select by. */
    public static void checkLabels(JsonNode labels, String field, List<Cause> causes) {
        labels.properties().forEach(label -> {
            Names.qualifiedName(label.getKey())
                    .forEach(problem -> causes.add(invalid(field, "\"" + label.getKey() + "\": " + problem)));
            String value = label.getValue().asString("");
            Names.labelValue(value).forEach(problem -> causes.add(invalid(field, "\"" + value + "\": " + problem)));
        });
    }

    private static Cause invalid(String field, String message) {
        return new Cause("FieldValueInvalid", "Invalid value: " + message, field);
    }
}
