package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.index.conflicts.ConflictPolicy;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What an {@code ExclusiveKey} asks for.
 *
 * @param source the spec as it is written: another one may ask for something else
 * @param author who wrote it; a rule without one reads nothing
 * @param denies whether hosted clusters store no object whose key another one has
 */
record RuleSpec(
        String name,
        String uid,
        JsonNode source,
        Optional<UserInfo> author,
        ClusterSet clusters,
        GroupVersionResource resource,
        Scope scope,
        String key,
        List<Lookup> lookups,
        ConflictPolicy onConflict,
        boolean denies,
        boolean publishesCondition,
        List<Output> withdraw) {

    /** Where two holders may not meet. */
    enum Scope {
        NAMESPACE,
        CLUSTER,
        FLEET
    }

    /**
     * An object that the key may read.
     *
     * @param name the variable
     * @param namespace an expression; empty for the namespace of the object that claims the key
     * @param objectName an expression
     */
    record Lookup(String name, GroupVersionResource resource, String namespace, String objectName) {}

    /**
     * What controllers of objects make.
     *
     * @param nameLabel the label with the object's name; empty if the owner references say it
     */
    record Output(GroupVersionResource resource, String nameLabel) {}

    /** That of an object which was validated. */
    static RuleSpec of(JsonNode object, RegisteredClusters registered) {
        JsonNode spec = object.path("spec");
        List<Lookup> lookups = new ArrayList<>();
        for (JsonNode lookup : spec.path("lookups").values()) {
            lookups.add(new Lookup(
                    lookup.path("name").asString(""),
                    resource(lookup.path("resource")),
                    lookup.path("namespace").asString(""),
                    lookup.path("objectName").asString("")));
        }
        List<Output> outputs = new ArrayList<>();
        for (JsonNode output : spec.path("withdraw").values()) {
            outputs.add(new Output(
                    resource(output.path("resource")), output.path("nameLabel").asString("")));
        }
        return new RuleSpec(
                object.at("/metadata/name").asString(""),
                object.at("/metadata/uid").asString(""),
                spec,
                Author.of(object),
                ClusterSelector.readWithoutAliases(spec.path("clusters"), registered),
                resource(spec.path("resource")),
                switch (spec.path("scope").asString("")) {
                    case "Namespace" -> Scope.NAMESPACE;
                    case "Cluster" -> Scope.CLUSTER;
                    default -> Scope.FLEET;
                },
                spec.path("key").asString(""),
                List.copyOf(lookups),
                spec.path("onConflict").asString("").equals("AllLose")
                        ? ConflictPolicy.ALL_LOSE
                        : ConflictPolicy.INCUMBENT_STAYS,
                denies(spec),
                spec.path("publishCondition").asBoolean(false),
                List.copyOf(outputs));
    }

    /** Whether another reading of the object asks for the same, by the same author. */
    boolean isSame(RuleSpec other) {
        return uid.equals(other.uid)
                && source.equals(other.source)
                && author.equals(other.author)
                && publishesCondition == other.publishesCondition;
    }

    /** The same, but for conditions, of which another rule writes those of the resource. */
    RuleSpec withoutCondition() {
        return new RuleSpec(
                name,
                uid,
                source,
                author,
                clusters,
                resource,
                scope,
                key,
                lookups,
                onConflict,
                denies,
                false,
                withdraw);
    }

    /** Whether the {@code spec} of a rule asks hosted clusters to deny. */
    static boolean denies(JsonNode spec) {
        return spec.path("enforcement").asString("").equals("Deny");
    }

    static GroupVersionResource resource(JsonNode resource) {
        return new GroupVersionResource(
                resource.path("group").asString(""),
                resource.path("version").asString(""),
                resource.path("resource").asString(""));
    }
}
