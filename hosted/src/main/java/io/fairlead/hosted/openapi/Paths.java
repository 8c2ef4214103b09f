package io.fairlead.hosted.openapi;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The paths of a resource with their operations. Parameters are inline and the kind is at each operation, since kubectl
 * looks there to find out whether the server validates fields.
 */
final class Paths {
    /** The patches that are served. */
    private static final List<String> PATCHES =
            List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");

    private static final List<String> PATCHES_OF_STRUCTS = List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");
    private static final List<String> BODIES = List.of(Accept.JSON, Accept.YAML);
    private static final List<String> BODIES_OF_STRUCTS = List.of(Accept.JSON, Accept.YAML, Accept.PROTOBUF);
    private static final List<String> INTEGERS = List.of("gracePeriodSeconds", "limit", "timeoutSeconds");
    private static final List<String> BOOLEANS =
            List.of("allowWatchBookmarks", "force", "orphanDependents", "sendInitialEvents", "watch");

    /** What is created at a pod to evict it. */
    static final ResourceType EVICTION = ResourceType.onlyCreated("policy", "Eviction", true);

    private final ResourceType type;
    private final String root;
    private final String idSuffix;

    /** Whether the kind is a Go struct, which has more media types. */
    private final boolean struct;

    Paths(ResourceType type) {
        this.type = type;
        this.root = type.groupVersion().path();
        this.struct = !type.custom() && Protobuf.knows(type.groupVersion().apiVersion(), type.kind());
        this.idSuffix = idPart(type.group().isEmpty() ? "core" : type.group()) + idPart(type.version());
    }

    /** Adds the paths of the resource and its subresources. */
    void addTo(ObjectNode paths) {
        String scope = type.namespaced() ? root + "/namespaces/{namespace}/" : root + "/";
        String id = idSuffix + (type.namespaced() ? "Namespaced" : "") + type.kind();
        add(paths, scope + type.plural(), Operation.OF_COLLECTION, type.verbs(), id);
        add(paths, scope + type.plural() + "/{name}", Operation.OF_OBJECT, type.verbs(), id);
        if (type.namespaced()) {
            String all = idSuffix + type.kind() + "ForAllNamespaces";
            add(paths, root + "/" + type.plural(), Operation.ACROSS_NAMESPACES, type.verbs(), all);
        }
        if (type.subresources().contains("status")) {
            String status = scope + type.plural() + "/{name}/status";
            add(paths, status, Operation.OF_OBJECT, List.of("get", "update", "patch"), id + "Status");
        }
        if (type.subresources().contains(Scale.SUBRESOURCE)) {
            String scale = scope + type.plural() + "/{name}/" + Scale.SUBRESOURCE;
            ResourceType scales = Scale.OF_WORKLOADS.type();
            add(paths, scale, Operation.OF_OBJECT, scales.verbs(), id + scales.kind(), scales);
        }
        if (type.subresources().contains(EVICTION.singular())) {
            String eviction = scope + type.plural() + "/{name}/" + EVICTION.singular();
            add(paths, eviction, Operation.OF_COLLECTION, EVICTION.verbs(), id + EVICTION.kind(), EVICTION);
        }
    }

    private void add(ObjectNode paths, String path, List<Operation> operations, List<String> verbs, String id) {
        add(paths, path, operations, verbs, id, type);
    }

    /** @param content what is read and written there */
    private void add(
            ObjectNode paths,
            String path,
            List<Operation> operations,
            List<String> verbs,
            String id,
            ResourceType content) {
        ObjectNode item = Json.object();
        for (Operation operation : operations) {
            if (verbs.contains(operation.verb())) {
                item.set(operation.method(), operation(operation, id, content));
            }
        }
        if (!item.isEmpty()) {
            item.set("parameters", pathParameters(path));
            paths.set(path, item);
        }
    }

    private ObjectNode operation(Operation operation, String id, ResourceType content) {
        ObjectNode node = Json.object().put("operationId", operation.id() + id);
        ArrayNode parameters = node.putArray("parameters");
        operation.parameters().forEach(name -> addParameter(parameters, name, "query", valueType(name)));
        addBody(node, operation, content);
        ObjectNode success =
                node.putObject("responses").putObject(operation.code()).put("description", "OK");
        addContent(success, bodies(), answerRef(operation, content));
        node.put("x-kubernetes-action", operation.action());
        node.set("x-kubernetes-group-version-kind", Schemas.groupVersionKind(content.groupVersion(), content.kind()));
        return node;
    }

    private void addBody(ObjectNode node, Operation operation, ResourceType content) {
        switch (operation.body()) {
            case NONE -> {}
            case OBJECT -> addContent(requiredBody(node), bodies(), objectRef(content));
            case PATCH ->
                addContent(requiredBody(node), struct ? PATCHES_OF_STRUCTS : PATCHES, MetaSchemas.ref("Patch"));
            case DELETE_OPTIONS ->
                addContent(node.putObject("requestBody"), BODIES_OF_STRUCTS, MetaSchemas.ref("DeleteOptions"));
        }
    }

    private List<String> bodies() {
        return struct ? BODIES_OF_STRUCTS : BODIES;
    }

    private static ObjectNode requiredBody(ObjectNode node) {
        return node.putObject("requestBody").put("required", true);
    }

    private static void addContent(ObjectNode node, List<String> mediaTypes, String ref) {
        ObjectNode content = node.putObject("content");
        for (String mediaType : mediaTypes) {
            content.putObject(mediaType).putObject("schema").put("$ref", ref);
        }
    }

    private static String answerRef(Operation operation, ResourceType content) {
        return switch (operation.answer()) {
            case OBJECT -> objectRef(content);
            case LIST -> Schemas.ref(Schemas.listComponent(content));
            case STATUS -> MetaSchemas.ref("Status");
        };
    }

    private static String objectRef(ResourceType content) {
        return Schemas.ref(Schemas.component(content));
    }

    private static ArrayNode pathParameters(String path) {
        ArrayNode parameters = Json.array();
        for (String name : List.of("name", "namespace")) {
            if (path.contains("{" + name + "}")) {
                addParameter(parameters, name, "path", "string");
            }
        }
        addParameter(parameters, "pretty", "query", "string");
        return parameters;
    }

    private static void addParameter(ArrayNode parameters, String name, String in, String valueType) {
        ObjectNode parameter = parameters.addObject().put("name", name).put("in", in);
        if (in.equals("path")) {
            parameter.put("required", true);
        }
        parameter.putObject("schema").put("type", valueType).put("uniqueItems", true);
    }

    private static String valueType(String parameter) {
        return INTEGERS.contains(parameter) ? "integer" : BOOLEANS.contains(parameter) ? "boolean" : "string";
    }

    /** The operation id part of {@code example.com}: {@code ExampleCom}. */
    private static String idPart(String name) {
        StringBuilder part = new StringBuilder();
        boolean upper = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                part.append(upper ? Character.toUpperCase(c) : c);
            }
            upper = !Character.isLetterOrDigit(c);
        }
        return part.toString();
    }
}
