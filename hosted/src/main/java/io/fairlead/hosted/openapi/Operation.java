package io.fairlead.hosted.openapi;

import java.util.List;

/**
 * What can be done with a path of a resource, as OpenAPI describes it.
 *
 * @param verb the verb that a resource must serve for it
 * @param method the member of the path item
 * @param action the value of {@code x-kubernetes-action}
 * @param id how its operation id begins
 * @param body what its body holds
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
            new Operation("patch", "patch", "patch", "patch", Body.PATCH, WRITING));

    /** For the path across namespaces. */
    static final List<Operation> ACROSS_NAMESPACES = List.of(OF_COLLECTION.getFirst());

    /** What the answer holds. */
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

    /** What a request's body holds. */
    enum Body {
        NONE,
        OBJECT,
        PATCH,
        DELETE_OPTIONS
    }

    /** What an answer holds. */
    enum Answer {
        OBJECT,
        LIST,
        STATUS
    }
}
