package io.fairlead.hosted.openapi;

import java.util.List;

/**
 * An operation on a path of a resource, as in OpenAPI.
 *
 * @param verb the verb that a resource must serve
 * @param method the member of the path item
 * @param action the value of {@code x-kubernetes-action}
 * @param id the prefix of its operation id
 * @param body the content of its body
 * @param parameters the names of its query parameters
 */
record Operation(String verb, String method, String action, String id, Body body, List<String> parameters) {
    private static final List<String> LISTING = List.of(
            "allowWatchBookmarks",
            "continue",
            "fieldSelector",
            "labelSelector",
            "limit",
            "resourceVersion",
            "resourceVersionMatch",
            "sendInitialEvents",
            "timeoutSeconds",
            "watch");
    private static final List<String> WRITING = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final List<String> PATCHING = List.of("dryRun", "fieldManager", "fieldValidation", "force");
    private static final List<String> DELETING =
            List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy");

    /** For the path of a collection. */
    static final List<Operation> OF_COLLECTION = List.of(
            new Operation("list", "get", "list", "list", Body.NONE, LISTING),
            new Operation("create", "post", "post", "create", Body.OBJECT, WRITING),
            new Operation(
                    "deletecollection",
                    "delete",
                    "deletecollection",
                    "deleteCollection",
                    Body.DELETE_OPTIONS,
                    DELETING));

    /** For the path of one object. */
    static final List<Operation> OF_OBJECT = List.of(
            new Operation("get", "get", "get", "read", Body.NONE, List.of("resourceVersion")),
            new Operation("update", "put", "put", "replace", Body.OBJECT, WRITING),
            new Operation("delete", "delete", "delete", "delete", Body.DELETE_OPTIONS, DELETING),
            new Operation("patch", "patch", "patch", "patch", Body.PATCH, PATCHING));

    /** For the path across namespaces. */
    static final List<Operation> ACROSS_NAMESPACES = List.of(OF_COLLECTION.getFirst());

    /** The content of the answer. */
    Answer answer() {
        return switch (verb) {
            case "list" -> Answer.LIST;
            case "delete", "deletecollection" -> Answer.STATUS;
            default -> Answer.OBJECT;
        };
    }

    /** The status code of success. */
    String code() {
        return verb.equals("create") ? "201" : "200";
    }

    /** The content of a request's body. */
    enum Body {
        NONE,
        OBJECT,
        PATCH,
        DELETE_OPTIONS
    }

    /** The content of an answer. */
    enum Answer {
        OBJECT,
        LIST,
        STATUS
    }
}
