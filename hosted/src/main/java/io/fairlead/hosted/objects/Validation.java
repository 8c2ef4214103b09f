package io.fairlead.hosted.objects;

import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.ObjectMetadata;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Whether an object may be stored as it is wanted: its metadata, its schema, the rules of its kind. */
final class Validation {
    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final String STATUS = "status";

    private Validation() {}

    /** @throws io.fairlead.model.StatusException 422 naming every field that is wrong */
    static void ofCreate(ServedResource resource, ObjectNode object) {
        refuseIfInvalid(resource, object, createProblems(resource, object));
    }

    /** @throws io.fairlead.model.StatusException 422 naming every field that is wrong */
    static void ofUpdate(ServedResource resource, String subresource, ObjectNode object, ObjectNode stored) {
        refuseIfInvalid(resource, object, updateProblems(resource, subresource, object, stored));
    }

    private static List<Status.Cause> createProblems(ServedResource resource, ObjectNode object) {
        FieldErrors metadata = metadataProblems(resource, object);
        boolean isFirst = resource.rules().judgesMetadata();
        List<Status.Cause> causes =
                new ArrayList<>(resource.codec().validate(object, null, isFirst ? metadata : new FieldErrors()));
        causes.addAll(resource.rules().validateCreate(object));
        causes.addAll(scaleProblems(resource, object));
        return causes.isEmpty() ? Causes.of(metadata) : causes;
    }

    private static List<Status.Cause> updateProblems(
            ServedResource resource, String subresource, ObjectNode object, ObjectNode stored) {
        // Of custom resources only what may change is judged again (apiextensions-apiserver validation.go).
        FieldErrors metadata = resource.type().custom() ? new FieldErrors() : metadataProblems(resource, object);
        metadata.addAll(ObjectMetadata.forUpdate(Meta.of(object), Meta.of(stored), METADATA));
        boolean isStatus = subresource.equals(STATUS);
        List<Status.Cause> causes = new ArrayList<>(
                isStatus
                        ? resource.codec().validateStatus(object, stored, metadata)
                        : resource.codec().validate(object, stored, metadata));
        causes.addAll(
                subresource.isEmpty()
                        ? resource.rules().validateUpdate(object, stored)
                        : resource.rules().validateStatusUpdate(subresource, object, stored));
        causes.addAll(isStatus ? scaleProblemsOfStatus(resource, object) : scaleProblems(resource, object));
        return causes;
    }

    private static FieldErrors metadataProblems(ServedResource resource, ObjectNode object) {
        FieldErrors errors = ObjectMetadata.forCreate(
                Meta.of(object), resource.type().namespaced(), resource.rules().nameRule(), METADATA);
        if (resource.rules().qualifiesFinalizers()) {
            ObjectMetadata.qualifiedFinalizers(object.path("metadata"), METADATA, errors);
        }
        return errors;
    }

    private static List<Status.Cause> scaleProblems(ServedResource resource, ObjectNode object) {
        Scale scale = resource.type().custom() ? resource.scale() : null;
        return scale == null ? List.of() : scale.problems(object);
    }

    private static List<Status.Cause> scaleProblemsOfStatus(ServedResource resource, ObjectNode object) {
        Scale scale = resource.type().custom() ? resource.scale() : null;
        return scale == null ? List.of() : scale.statusProblems(object);
    }

    private static void refuseIfInvalid(ServedResource resource, ObjectNode object, List<Status.Cause> causes) {
        if (!causes.isEmpty()) {
            throw Refusals.invalid(
                    resource.type().storedAs().group(),
                    resource.type().kind(),
                    Meta.name(object),
                    causes.stream().distinct().toList());
        }
    }
}
