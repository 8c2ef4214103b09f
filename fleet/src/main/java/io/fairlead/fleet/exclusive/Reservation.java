package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * That an object has a key, or is about to have it, as a {@code KeyReservation} says.
 *
 * @param holder the object: the name decides, since a cluster has one object of a name
 * @param uid of the object that had the name when this was written
 * @param resourceVersion of what is stored; empty if it is not
 */
record Reservation(ReservedKey id, String ruleName, ObjectKey holder, String uid, String resourceVersion) {
    /** What is stored under a name. */
    static Reservation of(ReservedKey id, JsonNode stored) {
        JsonNode holder = stored.at("/spec/holder");
        return new Reservation(
                id,
                stored.at("/spec/rule/name").asString(""),
                new ObjectKey(
                        new ClusterName(holder.path("cluster").asString("")),
                        holder.path("namespace").asString(""),
                        holder.path("name").asString("")),
                holder.path("uid").asString(""),
                stored.at("/metadata/resourceVersion").asString(""));
    }

    /** The same of another object, to take the place of this one. */
    Reservation of(ObjectKey other, String otherUid) {
        return new Reservation(id, ruleName, other, otherUid, resourceVersion);
    }

    ObjectNode node() {
        ObjectNode node =
                Json.object().put("apiVersion", FairleadKind.API_VERSION).put("kind", "KeyReservation");
        ObjectNode metadata = node.putObject("metadata").put("name", id.name());
        if (!resourceVersion.isEmpty()) {
            metadata.put("resourceVersion", resourceVersion);
        }
        ObjectNode spec = node.putObject("spec");
        spec.putObject("rule").put("name", ruleName).put("uid", id.rule());
        spec.putObject("holder")
                .put("cluster", holder.cluster().value())
                .put("namespace", holder.namespace())
                .put("name", holder.name())
                .put("uid", uid);
        return node;
    }
}
