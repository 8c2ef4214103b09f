package io.fairlead.hosted.review;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.SelectorRules;
import io.fairlead.hosted.rbac.Policy;
import io.fairlead.hosted.rbac.Verdict;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The attributes of an access review, validated as kube-apiserver does (apis/authorization {@code validation}). */
final class AccessQuestion {
    private static final FieldPath SPEC = FieldPath.of("spec");

    /** Metadata that the server sets on any object and ignores in the request. */
    private static final List<String> SYSTEM_METADATA = List.of(
            "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields");

    private final ResourceType type;
    private final ObjectNode metadata;
    private final JsonNode spec;
    private final JsonNode resource;
    private final JsonNode path;

    /**
     * The attributes of a review.
     *
     * @param namespace of the path, empty if it names none
     * @throws StatusException 400 if the review names another namespace
     */
    AccessQuestion(ResourceType type, ObjectNode review, String namespace) {
        this.type = type;
        this.metadata = metadata(review.path("metadata"), namespace);
        this.spec = review.path("spec");
        this.resource = spec.path("resourceAttributes");
        this.path = spec.path("nonResourceAttributes");
    }

    /** The metadata of the answer. */
    ObjectNode metadata() {
        return metadata;
    }

    /**
     * The status.
     *
     * @param caller the user to review if the review names none
     * @throws StatusException 422 with all problems
     */
    ObjectNode answer(Policy policy, UserInfo caller) {
        boolean aboutCaller = type.kind().startsWith("Self");
        UserInfo subject = aboutCaller ? caller : subject();
        FieldErrors errors = new FieldErrors();
        checkAttributes(errors);
        if (!aboutCaller && subject.name().isEmpty() && subject.groups().isEmpty()) {
            errors.invalid(SPEC.child("user"), "", "at least one of user or group must be specified");
        }
        checkSelectors(errors);
        checkMetadata(errors);
        if (type.namespaced()) {
            checkLocal(errors);
        }
        errors.throwIfAny(type.group(), "", "");
        return status(policy.decide(subject, attributes()));
    }

    /** That of an answer: what is given, without what only the server sets. */
    static ObjectNode metadata(JsonNode given, String namespace) {
        ObjectNode metadata = given instanceof ObjectNode object ? object.deepCopy() : Json.object();
        metadata.remove(SYSTEM_METADATA);
        String named = text(metadata, "namespace");
        if (namespace.isEmpty()) {
            metadata.remove("namespace");
        } else if (named.isEmpty() || named.equals(namespace)) {
            metadata.put("namespace", namespace);
        } else {
            throw new StatusException(Status.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
        return metadata;
    }

    private void checkAttributes(FieldErrors errors) {
        if (resource.isObject() && path.isObject()) {
            errors.invalid(
                    SPEC.child("nonResourceAttributes"),
                    pathInGo(),
                    "cannot be specified in combination with resourceAttributes");
        } else if (!resource.isObject() && !path.isObject()) {
            errors.invalid(
                    SPEC.child("resourceAttributes"),
                    Json.nodes().nullNode(),
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
    }

    private UserInfo subject() {
        return new UserInfo(
                text(spec, "user"), text(spec, "uid"), texts(spec.path("groups")), extra(spec.path("extra")));
    }

    private void checkSelectors(FieldErrors errors) {
        FieldPath attributes = SPEC.child("resourceAttributes");
        checkSelector(resource.path("fieldSelector"), attributes.child("fieldSelector"), errors);
        int index = 0;
        for (JsonNode requirement :
                resource.path("fieldSelector").path("requirements").values()) {
            FieldPath at =
                    attributes.child("fieldSelector").child("requirements").index(index++);
            SelectorRules.fieldRequirement(requirement, at, errors);
        }
        checkSelector(resource.path("labelSelector"), attributes.child("labelSelector"), errors);
        index = 0;
        for (JsonNode requirement :
                resource.path("labelSelector").path("requirements").values()) {
            FieldPath at =
                    attributes.child("labelSelector").child("requirements").index(index++);
            SelectorRules.labelRequirement(requirement, true, at, errors);
        }
    }

    private static void checkSelector(JsonNode selector, FieldPath at, FieldErrors errors) {
        String raw = text(selector, "rawSelector");
        boolean required = !selector.path("requirements").isEmpty();
        if (!raw.isEmpty() && required) {
            errors.invalid(at.child("rawSelector"), raw, "may not specified at the same time as requirements");
        }
        if (selector.isObject() && raw.isEmpty() && !required) {
            errors.required(
                    at.child("requirements"), "when " + at + " is specified, requirements or rawSelector is required");
        }
    }

    /** Reviews are not stored and have no metadata. */
    private void checkMetadata(FieldErrors errors) {
        if (metadata.size() > (metadata.has("namespace") ? 1 : 0)) {
            errors.invalid(
                    FieldPath.of("metadata"),
                    metadata,
                    type.namespaced() ? "must be empty except for namespace" : "must be empty");
        }
    }

    /** A local review covers only the path's namespace, and only resources. */
    private void checkLocal(FieldErrors errors) {
        if (resource.isObject() && !text(resource, "namespace").equals(text(metadata, "namespace"))) {
            errors.invalid(
                    SPEC.child("resourceAttributes").child("namespace"),
                    text(resource, "namespace"),
                    "must match metadata.namespace");
        }
        if (path.isObject()) {
            errors.invalid(SPEC.child("nonResourceAttributes"), pathInGo(), "disallowed on this kind of request");
        }
    }

    /** As upstream prints the internal type, whose fields have no JSON names. */
    private ObjectNode pathInGo() {
        return Json.object().put("Path", text(path, "path")).put("Verb", text(path, "verb"));
    }

    private RequestInfo attributes() {
        if (path.isObject()) {
            return RequestInfo.nonResource(text(path, "path"), text(path, "verb"));
        }
        return new RequestInfo(
                true,
                "",
                text(resource, "verb"),
                "apis",
                text(resource, "group"),
                text(resource, "version"),
                text(resource, "namespace"),
                text(resource, "resource"),
                text(resource, "subresource"),
                text(resource, "name"),
                "");
    }

    private static ObjectNode status(Verdict verdict) {
        ObjectNode status = Json.object().put("allowed", verdict instanceof Verdict.Allowed);
        return verdict.reason().isEmpty() ? status : status.put("reason", verdict.reason());
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asString("")));
        return texts;
    }

    private static Map<String, List<String>> extra(JsonNode extra) {
        Map<String, List<String>> values = new HashMap<>();
        extra.properties().forEach(entry -> values.put(entry.getKey(), texts(entry.getValue())));
        return values;
    }
}
