package io.fairlead.hosted.review;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.rbac.Policy;
import io.fairlead.hosted.rbac.Verdict;
import io.fairlead.model.RequestInfo;
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

/** What an access review asks, checked as kube-apiserver checks it (apis/authorization {@code validation}). */
final class AccessQuestion {
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final ResourceType type;
    private final JsonNode spec;
    private final String metadataNamespace;
    private final JsonNode resource;
    private final JsonNode path;

    AccessQuestion(ResourceType type, ObjectNode review) {
        this.type = type;
        this.spec = review.path("spec");
        this.metadataNamespace = review.path("metadata").path("namespace").asString("");
        this.resource = spec.path("resourceAttributes");
        this.path = spec.path("nonResourceAttributes");
    }

    /** The status for a subject. */
    ObjectNode answer(Policy policy, UserInfo subject) {
        FieldErrors errors = new FieldErrors();
        if (resource.isObject() && path.isObject()) {
            errors.invalid(
                    SPEC.child("nonResourceAttributes"),
                    path,
                    "cannot be specified in combination with resourceAttributes");
        } else if (!resource.isObject() && !path.isObject()) {
            errors.invalid(
                    SPEC.child("resourceAttributes"),
                    Json.nodes().nullNode(),
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        throwIfAny(errors);
        return status(policy.decide(subject, attributes()));
    }

    /** The subject that the review names. */
    UserInfo subject() {
        UserInfo subject = new UserInfo(
                text(spec, "user"), text(spec, "uid"), texts(spec.path("groups")), extra(spec.path("extra")));
        FieldErrors errors = new FieldErrors();
        if (subject.name().isEmpty() && subject.groups().isEmpty()) {
            errors.invalid(SPEC.child("user"), "", "at least one of user or group must be specified");
        }
        throwIfAny(errors);
        return subject;
    }

    /** A local review asks about its own namespace, which the path names, and about resources alone. */
    void requireNamespace(String namespace) {
        FieldErrors errors = new FieldErrors();
        if (!metadataNamespace.isEmpty() && !metadataNamespace.equals(namespace)) {
            errors.invalid(
                    FieldPath.of("metadata", "namespace"), metadataNamespace, "must match the namespace of the path");
        }
        if (resource.isObject() && !text(resource, "namespace").equals(namespace)) {
            errors.invalid(
                    SPEC.child("resourceAttributes").child("namespace"),
                    text(resource, "namespace"),
                    "must match metadata.namespace");
        }
        if (path.isObject()) {
            errors.invalid(SPEC.child("nonResourceAttributes"), path, "disallowed on this kind of request");
        }
        throwIfAny(errors);
    }

    private void throwIfAny(FieldErrors errors) {
        errors.throwIfAny(type.group(), type.kind(), "");
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
