package io.fairlead.hosted.objects;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Alike;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The metadata that only the server writes (API conventions, "Metadata"): values from clients are dropped. */
final class SystemMetadata {
    /** A number above zero of at most 19 digits; what is none by this is no revision of a store. */
    private static final Pattern REVISION = Pattern.compile("0{0,99}[1-9][0-9]{0,18}");

    private SystemMetadata() {}

    /** Sets the metadata of a new object. */
    static void begin(ServedResource resource, String namespace, ObjectNode object, Instant now) {
        ObjectNode metadata = Meta.of(object);
        if (Meta.resourceVersion(object).isEmpty()) {
            metadata.remove("resourceVersion");
        }
        List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink").forEach(metadata::remove);
        setNamespace(resource, namespace, metadata);
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("creationTimestamp", Meta.time(now));
    }

    /**
     * Refuses a resource version of an object that is about to be created, and drops what is none (apiserver {@code storage/etcd3}).
     * A dry run, which does not come so far, answers what was sent ({@code DryRunnableStorage}).
     */
    static void requireNoRevision(ObjectNode object) {
        if (REVISION.matcher(Meta.resourceVersion(object)).matches()) {
            throw new StatusException(Status.of(500, "", "resourceVersion should not be set on objects to be created"));
        }
        Meta.of(object).remove("resourceVersion");
    }

    private static void setNamespace(ServedResource resource, String namespace, ObjectNode metadata) {
        if (!resource.type().namespaced()) {
            metadata.remove("namespace");
            return;
        }
        String given = metadata.path("namespace").asString("");
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        metadata.put("namespace", namespace);
    }

    /** Keeps the fields that an update cannot change, or must not (apiserver {@code rest.BeforeUpdate}). */
    static void keep(ObjectNode object, ObjectNode stored) {
        ObjectNode metadata = Meta.of(object);
        JsonNode kept = stored.path("metadata");
        for (String field : List.of("uid", "creationTimestamp", "generation", "selfLink")) {
            JsonNode value = kept.get(field);
            if (value == null) {
                metadata.remove(field);
            } else {
                metadata.set(field, value);
            }
        }
        keepDeletion(metadata, kept);
    }

    /** What else is sent of a deletion stays, and is refused as a change of what is immutable. */
    private static void keepDeletion(ObjectNode metadata, JsonNode kept) {
        JsonNode time = kept.get("deletionTimestamp");
        if (time != null) {
            metadata.set("deletionTimestamp", time);
        }
        JsonNode grace = kept.get("deletionGracePeriodSeconds");
        if (grace != null && metadata.path("deletionGracePeriodSeconds").asLong(grace.asLong()) == grace.asLong()) {
            metadata.set("deletionGracePeriodSeconds", grace);
        }
    }

    /** A change outside of metadata, and of status where that is a subresource, increments the generation. */
    static void countGeneration(ServedResource resource, ObjectNode object, ObjectNode stored) {
        if (resource.rules().countsGeneration() && !isDesiredAlike(resource, object, stored)) {
            Meta.of(object).put("generation", Meta.generation(stored) + 1);
        }
    }

    /** An empty list is none in a Go struct; in a custom resource it is not. */
    private static boolean isDesiredAlike(ServedResource resource, ObjectNode object, ObjectNode stored) {
        ObjectNode now = desired(resource, object);
        ObjectNode before = desired(resource, stored);
        return resource.codec().goType() == null ? now.equals(before) : Alike.are(now, before);
    }

    private static ObjectNode desired(ServedResource resource, ObjectNode object) {
        List<String> observed = resource.hasStatus() ? List.of("metadata", "status") : List.of("metadata");
        return Json.object().setAll(object).remove(observed);
    }

    /** Marks an object with finalizers as terminating. */
    static void markForDeletion(KindRules rules, ObjectNode object, Instant now) {
        ObjectNode metadata = Meta.of(object);
        metadata.put("deletionTimestamp", Meta.time(now));
        if (rules.notesOnlyTimeOfDeletion()) {
            return;
        }
        metadata.put("deletionGracePeriodSeconds", 0);
        if (metadata.has("generation")) {
            metadata.put("generation", Meta.generation(object) + 1);
        }
    }
}
