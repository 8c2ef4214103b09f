package io.fairlead.gateway.api;

import io.fairlead.index.ClusterView;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.TypeDigest;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which types the clusters of the fleet define, and which of them differ under the same name.
 *
 * <p>Of the definitions of one name, that of most clusters comes first.
 */
final class TypeReport {
    /** The most definitions compared for one answer; for more, the caller must select one type. */
    private static final int COMPARED_MAX = 500;

    private static final Comparator<TypeDigest> BY_TEXT = Comparator.comparing(TypeDigest::text);

    private final FleetIndex index;

    TypeReport(FleetIndex index) {
        this.index = index;
    }

    /** One distinct definition of a name. */
    private record Meaning(DefinedType type, List<Use> uses) {
        int clusters() {
            return uses.size();
        }

        String firstCluster() {
            return uses.getFirst().cluster().value();
        }
    }

    /** A cluster that defines it. */
    private record Use(ClusterName cluster, DefinedType type, String implementation) {}

    /**
     * The types of all selected clusters, by kind and group.
     *
     * @param wanted chooses clusters
     * @param kind chooses types by their kind, empty for all
     * @param group chooses types by their group, empty for all
     */
    ObjectNode types(Predicate<ClusterName> wanted, String group, String kind) {
        ObjectNode report = Json.object();
        ArrayNode types = report.putArray("types");
        ArrayNode unknown = report.putArray("unknown");
        Map<String, Map<TypeDigest, Meaning>> byName = new TreeMap<>();
        for (ClusterView view : views(wanted)) {
            if (view.sync() != Sync.SYNCED) {
                unknown.add(view.cluster().value());
            }
            collect(view, group, kind, byName);
        }
        AtomicInteger compared = new AtomicInteger();
        byName.forEach((name, meanings) -> types.add(type(sorted(meanings.values()), compared)));
        return report;
    }

    private List<ClusterView> views(Predicate<ClusterName> wanted) {
        return index.views().stream()
                .filter(view -> wanted.test(view.cluster()))
                .sorted(Comparator.comparing(view -> view.cluster().value()))
                .toList();
    }

    private static void collect(
            ClusterView view, String group, String kind, Map<String, Map<TypeDigest, Meaning>> byName) {
        for (Holder holder : view.holders()) {
            DefinedType type = holder.defines();
            if (type != null && isWanted(type.group(), group) && isWanted(type.kind(), kind)) {
                byName.computeIfAbsent(type.groupKind(), name -> new TreeMap<>(BY_TEXT))
                        .computeIfAbsent(type.api(), api -> new Meaning(type, new ArrayList<>()))
                        .uses()
                        .add(new Use(view.cluster(), type, holder.implementation()));
            }
        }
    }

    private static boolean isWanted(String value, String wanted) {
        return wanted.isEmpty() || wanted.equals(value);
    }

    /** That of most clusters first; ties are ordered by the first cluster's name. */
    private static List<Meaning> sorted(Collection<Meaning> meanings) {
        return meanings.stream()
                .sorted(Comparator.comparingInt(Meaning::clusters).reversed().thenComparing(Meaning::firstCluster))
                .toList();
    }

    private static ObjectNode type(List<Meaning> meanings, AtomicInteger compared) {
        DefinedType first = meanings.getFirst().type();
        ObjectNode type = Json.object().put("group", first.group()).put("kind", first.kind());
        type.put("consistent", meanings.size() == 1);
        ArrayNode definitions = type.putArray("definitions");
        for (Meaning meaning : meanings) {
            ObjectNode definition = definition(meaning);
            if (!meaning.type().api().equals(first.api()) && compared.incrementAndGet() <= COMPARED_MAX) {
                definition.set("comparison", DefinitionDifference.of(first, meaning.type()));
            }
            definitions.add(definition);
        }
        return type;
    }

    private static ObjectNode definition(Meaning meaning) {
        ObjectNode definition = Json.object().put("api", meaning.type().api().text());
        ArrayNode versions = definition.putArray("versions");
        for (DefinedVersion version : meaning.type().versions()) {
            versions.addObject()
                    .put("name", version.name())
                    .put("schema", version.schema().text());
        }
        ArrayNode clusters = definition.putArray("clusters");
        for (Use use : meaning.uses()) {
            ObjectNode cluster = clusters.addObject()
                    .put("name", use.cluster().value())
                    .put("full", use.type().full().text())
                    .put("understood", use.type().understood());
            if (!use.implementation().isEmpty()) {
                cluster.put("implementation", use.implementation());
            }
        }
        return definition;
    }
}
