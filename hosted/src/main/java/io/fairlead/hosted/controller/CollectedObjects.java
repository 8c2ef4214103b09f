package io.fairlead.hosted.controller;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the garbage collector does to an object, as it stands now. */
final class CollectedObjects {
    private final Caller caller = Caller.controller("generic-garbage-collector");
    private final ObjectWriter writer;

    CollectedObjects(ObjectWriter writer) {
        this.writer = writer;
    }

    /** Deletes an object in the version that was read; whether that is done. */
    boolean delete(ServedResource resource, ObjectNode object, Propagation propagation) {
        DeleteOptions options = new DeleteOptions(Meta.uid(object), Meta.resourceVersion(object), propagation);
        try {
            writer.delete(caller, resource, Meta.namespace(object), Meta.name(object), options);
            return true;
        } catch (StatusException e) {
            // Gone, or changed: the log reports either.
            if (e.status().code() == 404 || e.status().code() == 409) {
                return true;
            }
            throw e;
        }
    }

    /** Takes the references to these owners out. */
    void removeReferences(ServedResource resource, ObjectNode object, Set<String> uids) {
        change(resource, object, wanted -> {
            ArrayNode kept = Json.array();
            for (JsonNode reference : wanted.path("metadata").path("ownerReferences")) {
                if (!uids.contains(reference.path("uid").asString(""))) {
                    kept.add(reference);
                }
            }
            if (kept.isEmpty()) {
                Meta.of(wanted).remove("ownerReferences");
            } else {
                Meta.of(wanted).set("ownerReferences", kept);
            }
        });
    }

    /** Has the object's references no longer block the deletion of its owners. */
    void letOwnersGo(ServedResource resource, ObjectNode object) {
        change(
                resource,
                object,
                wanted -> wanted.path("metadata")
                        .path("ownerReferences")
                        .forEach(reference -> ((ObjectNode) reference).put("blockOwnerDeletion", false)));
    }

    void removeFinalizer(ServedResource resource, ObjectNode object, String finalizer) {
        change(resource, object, wanted -> {
            List<String> finalizers = new ArrayList<>(Meta.finalizers(wanted));
            finalizers.remove(finalizer);
            Meta.setStrings(Meta.of(wanted), "finalizers", finalizers);
        });
    }

    /** Changes an object, if it is still the same one. */
    private void change(ServedResource resource, ObjectNode object, Consumer<ObjectNode> change) {
        try {
            writer.update(caller, resource, Meta.namespace(object), Meta.name(object), "", stored -> {
                ObjectNode wanted = stored.deepCopy();
                if (Meta.uid(stored).equals(Meta.uid(object))) {
                    change.accept(wanted);
                }
                return wanted;
            });
        } catch (StatusException e) {
            if (e.status().code() != 404) {
                throw e;
            }
        }
    }
}
