package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.model.GroupResource;
import io.fairlead.model.StatusException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is deleted with an object of the same name, without an owner reference: the Endpoints of a Service (kubernetes {@code
 * registry/core/service/storage}, {@code afterDelete}).
 *
 * @param served the resource of a group and a plural, if the cluster serves it
 */
public record Companions(BiFunction<String, String, Optional<ServedResource>> served) {
    private static final Map<GroupResource, GroupResource> KINDS =
            Map.of(new GroupResource("", "services"), new GroupResource("", "endpoints"));

    /** After an object is gone. That there is none, or that it may not be deleted, is no problem of who deleted the object. */
    void delete(ObjectWriter writer, Caller caller, ServedResource resource, ObjectNode gone) {
        GroupResource companion = KINDS.get(resource.groupResource());
        if (companion == null) {
            return;
        }
        served.apply(companion.group(), companion.resource()).ifPresent(other -> {
            try {
                writer.delete(caller, other, Meta.namespace(gone), Meta.name(gone), DeleteOptions.NONE);
            } catch (StatusException refused) {
                // As in kube-apiserver.
            }
        });
    }
}
