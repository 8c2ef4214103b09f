package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Repetitions;
import io.fairlead.model.StatusException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is deleted with an object of the same name, without an owner reference: the Endpoints of a Service (kubernetes {@code
 * registry/core/service/storage}, {@code afterDelete}).
 *
 * @param served the resource of a group and a plural, if the cluster serves it
 */
public record Companions(BiFunction<String, String, Optional<ServedResource>> served) {
    private static final Logger LOG = LoggerFactory.getLogger(Companions.class);
    private static final Repetitions TOLD = new Repetitions();
    private static final int MISSING = 404;

    private static final Map<GroupResource, GroupResource> KINDS =
            Map.of(new GroupResource("", "services"), new GroupResource("", "endpoints"));

    /** After an object is gone: who deleted it is not told that its companion stays. */
    void delete(ObjectWriter writer, Caller caller, ServedResource resource, ObjectNode gone) {
        GroupResource companion = KINDS.get(resource.groupResource());
        if (companion == null) {
            return;
        }
        served.apply(companion.group(), companion.resource()).ifPresent(other -> {
            try {
                writer.delete(caller, other, Meta.namespace(gone), Meta.name(gone), DeleteOptions.NONE);
            } catch (StatusException refused) {
                if (refused.status().code() != MISSING) {
                    tell(other.groupResource(), gone, refused);
                }
            }
        });
    }

    private static void tell(GroupResource companion, ObjectNode gone, StatusException refused) {
        TOLD.next(companion)
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("resource", companion)
                        .addKeyValue("namespace", Meta.namespace(gone))
                        .addKeyValue("name", Meta.name(gone))
                        .addKeyValue("reason", refused.getMessage())
                        .addKeyValue("leftOut", leftOut)
                        .log("An object stays whose owner was deleted"));
    }
}
