package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.AdmissionHook.Operation;
import io.fairlead.hosted.meta.Meta;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Asks a resource's admission hooks about a write. */
final class Reviews {
    private Reviews() {}

    static void admit(ServedResource resource, AdmissionHook.Review review) {
        resource.admission().forEach(hook -> hook.admit(review));
    }

    /** Validates the object of a create or an update, and then asks the hooks about it again. */
    static void validate(ServedResource resource, AdmissionHook.Review review) {
        ObjectNode object = Objects.requireNonNull(review.object());
        ObjectNode old = review.old();
        if (old == null) {
            Validation.ofCreate(resource, object);
        } else {
            Validation.ofUpdate(resource, review.subresource(), object, old);
        }
        resource.admission().forEach(hook -> hook.admitValid(review));
    }

    /** Of the objects as they are at each question: a rule may complete a new one in between. */
    static AdmissionHook.Review of(
            Caller caller,
            ServedResource resource,
            Operation operation,
            String subresource,
            @Nullable ObjectNode old,
            @Nullable ObjectNode object) {
        ObjectNode either = object == null ? Objects.requireNonNull(old) : object;
        return new AdmissionHook.Review(
                operation,
                resource.type(),
                subresource,
                Meta.namespace(either),
                Meta.name(either),
                caller.user(),
                caller.isUserEverywhere(),
                old,
                object,
                caller.dryRun());
    }
}
