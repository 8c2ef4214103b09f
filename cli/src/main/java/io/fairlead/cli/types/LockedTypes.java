package io.fairlead.cli.types;

import io.fairlead.packages.oci.CrossplanePackage;
import io.fairlead.schema.digest.CanonicalType;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The types of one cluster or package, locked or actual.
 *
 * @param name the cluster's id, or the source of the package
 * @param digest of the package's manifest or index; empty for clusters
 * @param about further data of a package; empty for clusters
 * @param types by name ({@code Widget.example.com})
 * @param undetermined why a type is unknown, by its name
 */
record LockedTypes(
        String name,
        String digest,
        ObjectNode about,
        Map<String, CanonicalType> types,
        Map<String, String> undetermined) {
    static LockedTypes ofCluster(String name, List<DefinitionDigests> definitions) {
        LockedTypes cluster = new LockedTypes(name, "", Json.object(), new TreeMap<>(), new TreeMap<>());
        cluster.addAll(definitions);
        return cluster;
    }

    static LockedTypes ofPackage(PackageSource source, CrossplanePackage read) {
        LockedTypes found =
                new LockedTypes(source.toString(), read.digest().text(), about(read), new TreeMap<>(), new TreeMap<>());
        found.addAll(read.types());
        read.undetermined().forEach(type -> found.undetermined.put(type.groupKind(), type.why()));
        return found;
    }

    private void addAll(List<DefinitionDigests> definitions) {
        for (DefinitionDigests definition : definitions) {
            String name = definition.type().toString();
            CanonicalType other = types.put(name, definition.type());
            if (other != null && !other.digest().equals(definition.api())) {
                undetermined.put(name, "it is defined twice, and differently");
            }
            if (!definition.type().servesWhatItStores()) {
                undetermined.put(name, "its storage version is not served, so that it is not said what is kept");
            }
            if (!definition.notUnderstood().isEmpty()) {
                undetermined.put(name, "not understood: " + String.join(", ", definition.notUnderstood()));
            }
        }
    }

    private static ObjectNode about(CrossplanePackage read) {
        ObjectNode about =
                Json.object().put("sort", read.sort()).put("name", read.name()).put("crossplane", read.crossplane());
        ArrayNode dependencies = about.putArray("dependencies");
        for (CrossplanePackage.Dependency dependency : read.dependencies()) {
            dependencies
                    .addObject()
                    .put("sort", dependency.sort())
                    .put("package", dependency.reference())
                    .put("constraint", dependency.constraint());
        }
        return about;
    }
}
