package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The client's preconditions against the stored object. */
public final class Preconditions {
    private static final Status.Cause NO_REVISION =
            Causes.invalid("metadata.resourceVersion", Json.nodes().numberNode(0), "must be specified for an update");

    private static final Pattern REVISION = Pattern.compile("[0-9]{0,20}");

    /** Of a text that is no revision, which a client may make as long as a body. */
    private static final int SHOWN_MAX = 200;

    private Preconditions() {}

    /** Refuses an update with another uid or resource version than the stored one's. */
    static void ofUpdate(ServedResource resource, ObjectNode stored, ObjectNode wanted) {
        String name = Meta.name(stored);
        String uid = Meta.uid(wanted);
        if (!uid.isEmpty() && !uid.equals(Meta.uid(stored))) {
            throw uidMismatch(resource, name, uid, Meta.uid(stored));
        }
        String sent = Meta.resourceVersion(wanted);
        String revision = sent.equals("0") ? "" : sent;
        if (revision.isEmpty() && resource.rules().allowsUnconditionalUpdate()) {
            Meta.of(wanted).put("resourceVersion", Meta.resourceVersion(stored));
        } else if (revision.isEmpty()) {
            throw Refusals.invalid(
                    resource.groupResource().group(), resource.groupResource().resource(), name, List.of(NO_REVISION));
        } else if (!revision.equals(Meta.resourceVersion(stored))) {
            throw Refusals.modified(resource.groupResource(), name);
        }
    }

    /**
     * Refuses a patch that changes the uid: a uid in a patch is no condition, but a change that is not allowed.
     *
     * @param type of the patched object
     * @param stored empty if there is none
     */
    public static void ofPatch(ServedResource resource, ResourceType type, ObjectNode stored, ObjectNode patched) {
        String uid = Meta.uid(patched);
        if (!uid.isEmpty() && stored.isEmpty()) {
            String problem =
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found";
            throw Refusals.conflict(resource.groupResource(), Meta.name(patched), problem);
        }
        if (!uid.isEmpty() && !uid.equals(Meta.uid(stored))) {
            Status.Cause cause = Causes.invalid("metadata.uid", uid, "field is immutable");
            throw Refusals.invalid(type.group(), type.kind(), Meta.name(stored), List.of(cause, cause));
        }
    }

    /**
     * Refuses to create a missing object if a uid was given, or no name beside the path's. A resource version is not a
     * condition on a missing object, and is dropped.
     */
    static void ofCreationByUpdate(ServedResource resource, String name, ObjectNode wanted) {
        String uid = Meta.uid(wanted);
        if (!uid.isEmpty()) {
            throw uidMismatch(resource, name, uid, "");
        }
        requireName(name, wanted);
        String version = Meta.resourceVersion(wanted);
        if (!REVISION.matcher(version).matches()) {
            String shown = version.length() <= SHOWN_MAX ? version : version.substring(0, SHOWN_MAX) + "…";
            throw Refusals.badRequest("resourceVersion: Invalid value: " + GoText.quote(shown));
        }
        Meta.of(wanted).remove("resourceVersion");
    }

    /** Refuses a new object whose definition is terminating. */
    static void ofCreation(ServedResource resource, ObjectNode object) {
        if (!resource.creatable().getAsBoolean()) {
            boolean generated = object.path("metadata").hasNonNull("generateName");
            throw Refusals.forbidden(
                    resource.groupResource(),
                    generated ? "" : Meta.name(object),
                    "create not allowed while custom resource definition is terminating",
                    List.of());
        }
    }

    /** Refuses an object without a name (apiserver {@code checkName}). */
    public static void requireName(String name, ObjectNode object) {
        if (Meta.name(object).isEmpty()) {
            throw Refusals.badRequest(
                    "the name of the object (" + name + " based on URL) was undeterminable: name must be provided");
        }
    }

    private static StatusException uidMismatch(ServedResource resource, String name, String wanted, String actual) {
        return Refusals.conflict(
                resource.groupResource(),
                name,
                "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + actual);
    }

    /** Refuses a deletion with another uid or resource version than the stored one's. */
    public static void ofDelete(ServedResource resource, ObjectNode stored, DeleteOptions options) {
        requireEqual(resource, stored, "UID", options.uid(), Meta.uid(stored), "deleted and then recreated");
        requireEqual(
                resource,
                stored,
                "ResourceVersion",
                options.resourceVersion(),
                Meta.resourceVersion(stored),
                "modified");
    }

    /**
     * In the words of apiserver's {@code rest.BeforeDelete}, which names the kind where other refusals name the
     * resource.
     */
    private static void requireEqual(
            ServedResource resource,
            ObjectNode stored,
            String what,
            @Nullable String wanted,
            String actual,
            String otherwise) {
        if (wanted != null && !wanted.equals(actual)) {
            throw Refusals.conflict(
                    new GroupResource(resource.type().group(), resource.type().kind()),
                    Meta.name(stored),
                    "the " + what + " in the precondition (" + wanted + ") does not match the " + what + " in record ("
                            + actual + "). The object might have been " + otherwise);
        }
    }
}
