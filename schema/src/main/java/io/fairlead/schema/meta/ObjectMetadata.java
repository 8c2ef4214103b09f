package io.fairlead.schema.meta;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rules for an object's {@code metadata}, given as the tree of that member with the types of its fields already
 * checked ({@link MetadataTypes}).
 */
public final class ObjectMetadata {
    /** How many bytes the keys and values of all annotations may have. */
    public static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

    /** How many bytes the name of a field manager may have. */
    public static final int FIELD_MANAGER_MAX = 128;

    private static final int SUBRESOURCE_MAX = 256;
    private static final Set<String> BUILT_IN_FINALIZERS = Set.of("orphan", "foregroundDeletion", "kubernetes");

    private ObjectMetadata() {}

    /** The rules for a new object, whose name has been generated if it was to be. */
    public static FieldErrors forCreate(JsonNode metadata, boolean namespaced, NameRule rule, FieldPath path) {
        FieldErrors errors = new FieldErrors();
        String prefix = text(metadata, "generateName");
        if (!prefix.isEmpty()) {
            errors.invalid(path.child("generateName"), prefix, rule.problems(prefix, true));
        }
        String name = text(metadata, "name");
        if (name.isEmpty()) {
            errors.required(path.child("name"), "name or generateName is required");
        } else {
            errors.invalid(path.child("name"), name, rule.problems(name, false));
        }
        namespace(metadata, namespaced, path.child("namespace"), errors);
        generation(metadata, path.child("generation"), errors);
        labels(metadata.path("labels"), path.child("labels"), errors);
        annotations(metadata.path("annotations"), path.child("annotations"), errors);
        ownerReferences(metadata.path("ownerReferences"), path.child("ownerReferences"), errors);
        finalizers(metadata.path("finalizers"), path.child("finalizers"), errors);
        managedFields(metadata.path("managedFields"), path.child("managedFields"), errors);
        return errors;
    }

    /** The rules for the metadata that shall replace {@code old}. */
    public static FieldErrors forUpdate(JsonNode metadata, JsonNode old, FieldPath path) {
        FieldErrors errors = new FieldErrors();
        if (old.hasNonNull("deletionTimestamp")) {
            noNewFinalizers(metadata.path("finalizers"), old.path("finalizers"), path.child("finalizers"), errors);
        }
        if (text(metadata, "resourceVersion").isEmpty()) {
            errors.invalid(path.child("resourceVersion"), "", "must be specified for an update");
        }
        if (metadata.path("generation").asLong(0) < old.path("generation").asLong(0)) {
            errors.invalid(
                    path.child("generation"),
                    Json.nodes().numberNode(metadata.path("generation").asLong(0)),
                    "must not be decremented");
        }
        immutable(metadata, old, path, errors);
        labels(metadata.path("labels"), path.child("labels"), errors);
        annotations(metadata.path("annotations"), path.child("annotations"), errors);
        ownerReferences(metadata.path("ownerReferences"), path.child("ownerReferences"), errors);
        managedFields(metadata.path("managedFields"), path.child("managedFields"), errors);
        return errors;
    }

    /** The warnings about finalizers that are not qualified, as custom resources get them. */
    public static List<String> finalizerWarnings(JsonNode metadata, FieldPath path) {
        List<String> warnings = new ArrayList<>();
        for (JsonNode node : metadata.path("finalizers").values()) {
            String finalizer = node.asString("");
            String subject = path.child("finalizers") + ": " + GoText.quote(finalizer) + ": ";
            Names.qualifiedName(finalizer).forEach(problem -> warnings.add(subject + problem));
            if (!finalizer.contains("/") && !BUILT_IN_FINALIZERS.contains(finalizer)) {
                warnings.add(subject + "prefer a domain-qualified finalizer name"
                        + (finalizer.contains(".") ? " including a path (/)" : "")
                        + " to avoid accidental conflicts with other finalizer writers");
            }
        }
        return warnings;
    }

    /** The rule that finalizers are Kubernetes' own or have a domain before a slash, which not all kinds have. */
    public static void qualifiedFinalizers(JsonNode metadata, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode node : metadata.path("finalizers").values()) {
            FieldPath at = path.child("finalizers").index(index++);
            String finalizer = node.asString("");
            if (!finalizer.contains("/") && !BUILT_IN_FINALIZERS.contains(finalizer)) {
                errors.invalid(at, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
    }

    /** The rules for labels. */
    public static void labels(JsonNode labels, FieldPath path, FieldErrors errors) {
        labels.properties().forEach(label -> {
            String value = label.getValue().asString("");
            errors.invalid(path, label.getKey(), Names.qualifiedName(label.getKey()));
            errors.invalid(path, value, Names.labelValue(value));
        });
    }

    private static void generation(JsonNode metadata, FieldPath path, FieldErrors errors) {
        if (metadata.path("generation").asLong(0) < 0) {
            errors.invalid(path, metadata.path("generation"), "must be greater than or equal to 0");
        }
    }

    private static void namespace(JsonNode metadata, boolean namespaced, FieldPath path, FieldErrors errors) {
        String namespace = text(metadata, "namespace");
        if (!namespaced) {
            if (!namespace.isEmpty()) {
                errors.forbidden(path, "not allowed on this type");
            }
        } else if (namespace.isEmpty()) {
            errors.required(path, "");
        } else {
            errors.invalid(path, namespace, NameRule.DNS_LABEL.problems(namespace, false));
        }
    }

    /** The rules for annotations. */
    public static void annotations(JsonNode annotations, FieldPath path, FieldErrors errors) {
        for (var annotation : annotations.properties()) {
            String key = annotation.getKey();
            errors.invalid(path, key, Names.qualifiedName(key.toLowerCase(Locale.ROOT)));
        }
        if (areTooLong(annotations)) {
            errors.tooLong(path, ANNOTATIONS_BYTES_MAX);
        }
    }

    /** Whether annotations are longer than all of an object may be together. */
    public static boolean areTooLong(JsonNode annotations) {
        long bytes = 0;
        for (var annotation : annotations.properties()) {
            bytes += bytes(annotation.getKey()) + bytes(annotation.getValue().asString(""));
        }
        return bytes > ANNOTATIONS_BYTES_MAX;
    }

    private static void ownerReferences(JsonNode references, FieldPath path, FieldErrors errors) {
        String controller = "";
        for (JsonNode reference : references.values()) {
            ownerReference(reference, path, errors);
            if (reference.path("controller").asBoolean(false)) {
                String found = text(reference, "kind") + "/" + text(reference, "name");
                if (controller.isEmpty()) {
                    controller = found;
                } else {
                    errors.invalid(
                            path,
                            references,
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + found);
                }
            }
        }
    }

    private static void ownerReference(JsonNode reference, FieldPath path, FieldErrors errors) {
        String apiVersion = text(reference, "apiVersion");
        String[] groupVersion = apiVersion.split("/", -1);
        if (apiVersion.isEmpty() || groupVersion.length > 2 || groupVersion[groupVersion.length - 1].isEmpty()) {
            errors.invalid(path.child("apiVersion"), apiVersion, "version must not be empty");
        }
        for (String name : List.of("kind", "name", "uid")) {
            if (text(reference, name).isEmpty()) {
                errors.invalid(path.child(name), "", "must not be empty");
            }
        }
        if (apiVersion.equals("v1") && text(reference, "kind").equals("Event")) {
            errors.invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner");
        }
    }

    private static void finalizers(JsonNode finalizers, FieldPath path, FieldErrors errors) {
        Set<String> names = strings(finalizers);
        for (JsonNode node : finalizers.values()) {
            String finalizer = node.asString("");
            errors.invalid(path, finalizer, Names.qualifiedName(finalizer));
        }
        if (names.contains("orphan") && names.contains("foregroundDeletion")) {
            errors.invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
        }
    }

    private static void noNewFinalizers(JsonNode finalizers, JsonNode old, FieldPath path, FieldErrors errors) {
        Set<String> added = strings(finalizers);
        added.removeAll(strings(old));
        if (!added.isEmpty()) {
            String list = added.stream().map(GoText::quote).collect(Collectors.joining(", ", "[]string{", "}"));
            errors.forbidden(
                    path,
                    "no new finalizers can be added if the object is being deleted, found new finalizers " + list);
        }
    }

    private static void immutable(JsonNode metadata, JsonNode old, FieldPath path, FieldErrors errors) {
        for (String name : List.of(
                "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
            JsonNode value = orNull(metadata.get(name));
            if (!value.equals(orNull(old.get(name)))) {
                errors.invalid(path.child(name), value, "field is immutable");
            }
        }
    }

    private static void managedFields(JsonNode entries, FieldPath path, FieldErrors errors) {
        int index = 0;
        for (JsonNode entry : entries.values()) {
            FieldPath at = path.index(index++);
            String operation = text(entry, "operation");
            if (!operation.equals("Apply") && !operation.equals("Update")) {
                errors.invalid(at.child("operation"), operation, "must be `Apply` or `Update`");
            }
            String fieldsType = text(entry, "fieldsType");
            if (!fieldsType.isEmpty() && !fieldsType.equals("FieldsV1")) {
                errors.invalid(at.child("fieldsType"), fieldsType, "must be `FieldsV1`");
            }
            fieldManager(text(entry, "manager"), at.child("manager"), errors);
            if (bytes(text(entry, "subresource")) > SUBRESOURCE_MAX) {
                errors.tooLong(at.child("subresource"), SUBRESOURCE_MAX);
            }
        }
    }

    /** The rules for a field manager's name, also in a request's query. */
    public static void fieldManager(String manager, FieldPath path, FieldErrors errors) {
        if (bytes(manager) > FIELD_MANAGER_MAX) {
            errors.tooLong(path, FIELD_MANAGER_MAX);
        }
        if (!manager.codePoints().allMatch(GoText::isPrintable)) {
            errors.invalid(path, manager, "should only contain printable characters");
        }
    }

    private static JsonNode orNull(@Nullable JsonNode node) {
        return node == null ? Json.nodes().nullNode() : node;
    }

    private static Set<String> strings(JsonNode list) {
        Set<String> strings = new TreeSet<>();
        list.values().forEach(node -> strings.add(node.asString("")));
        return strings;
    }

    private static String text(JsonNode object, String name) {
        return object.path(name).asString("");
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
