package io.fairlead.hosted.cluster;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.rbac.BasePolicy;
import io.fairlead.schema.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object that a cluster keeps in memory. Those that each cluster starts with, and which nearly every cluster stores
 * unchanged, are shared by all but for what tells them apart, which takes a twentieth of their space. Immutable; any thread.
 */
sealed interface KeptObject {
    /** A tree that must not be changed. */
    ObjectNode object();

    /** Keeps an object, which must not be changed afterwards. */
    static KeptObject of(ObjectNode object) {
        BasePolicy.share(object);
        return BasePolicy.like(object)
                .or(() -> InitialObjects.namespaceLike(object))
                .flatMap(base -> Unchanged.of(base, object))
                .<KeptObject>map(unchanged -> unchanged)
                .orElseGet(() -> new Whole(object));
    }

    /** One of a cluster's own. */
    record Whole(ObjectNode object) implements KeptObject {}

    /**
     * One that each cluster starts with.
     *
     * @param base what all clusters have of it
     * @param created in seconds since 1970
     */
    record Unchanged(ObjectNode base, UUID uid, long revision, long created) implements KeptObject {
        /** Empty unless the object is its base, and no more than every stored object has beside that. */
        static Optional<Unchanged> of(ObjectNode base, ObjectNode object) {
            try {
                Unchanged unchanged = new Unchanged(
                        base,
                        UUID.fromString(Meta.uid(object)),
                        Long.parseLong(Meta.resourceVersion(object)),
                        Instant.parse(object.at("/metadata/creationTimestamp").asString(""))
                                .getEpochSecond());
                return unchanged.object().equals(object) ? Optional.of(unchanged) : Optional.empty();
            } catch (IllegalArgumentException | DateTimeException notAsFairleadWritesThem) {
                return Optional.empty();
            }
        }

        @Override
        public ObjectNode object() {
            ObjectNode object = Json.object();
            object.setAll(base);
            ObjectNode metadata = object.putObject("metadata");
            metadata.setAll((ObjectNode) base.path("metadata"));
            metadata.put("uid", uid.toString())
                    .put("resourceVersion", Long.toString(revision))
                    .put("creationTimestamp", Instant.ofEpochSecond(created).toString());
            return object;
        }
    }
}
