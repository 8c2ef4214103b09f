package io.fairlead.hosted.meta;

import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.List;

/** The error answers, in the words of apimachinery {@code api/errors}. */
public final class Refusals {
    private static final String OBJECT_MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private Refusals() {}

    public static StatusException badRequest(String message) {
        return new StatusException(Status.badRequest(message));
    }

    /** The path is not served. */
    public static StatusException unknownPath() {
        return new StatusException(new Status(
                404,
                "NotFound",
                "the server could not find the requested resource",
                new Status.Details("", "", "", "", List.of(), 0)));
    }

    public static StatusException notFound(GroupResource resource, String name) {
        return new StatusException(Status.notFound(resource, name));
    }

    /**
     * The name is taken.
     *
     * @param hasPrefix whether the object has a prefix for names, generated from it or not (apiserver {@code CheckGeneratedNameError})
     * @param isBeingDeleted whether its object is being deleted
     */
    public static StatusException alreadyExists(
            GroupResource resource, String name, boolean hasPrefix, boolean isBeingDeleted) {
        String message = (isBeingDeleted ? "object is being deleted: " : "") + resource + " \"" + name
                + "\" already exists"
                + (hasPrefix ? ", the server was not able to generate a unique name for the object" : "");
        return about(409, "AlreadyExists", resource, name, message, List.of(), hasPrefix ? 1 : 0);
    }

    public static StatusException modified(GroupResource resource, String name) {
        return conflict(resource, name, OBJECT_MODIFIED);
    }

    public static StatusException conflict(GroupResource resource, String name, String problem) {
        String message = "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + problem;
        return about(409, "Conflict", resource, name, message, List.of(), 0);
    }

    public static StatusException forbidden(
            GroupResource resource, String name, String problem, List<Status.Cause> causes) {
        String subject = name.isEmpty() ? resource.toString() : resource + " \"" + name + "\"";
        return about(403, "Forbidden", resource, name, subject + " is forbidden: " + problem, causes, 0);
    }

    public static StatusException methodNotAllowed(GroupResource resource, String action) {
        String message = action + " is not supported on resources of kind \"" + resource + "\"";
        return about(405, "MethodNotAllowed", resource, "", message, List.of(), 0);
    }

    /** The path does not support the method. */
    public static StatusException methodNotAllowed() {
        return new StatusException(new Status(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                new Status.Details("", "", "", "", List.of(), 0)));
    }

    /** The body is no object of the kind in the version. */
    public static StatusException undecodable(String kind, String version, String problem) {
        return badRequest(kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": " + problem);
    }

    public static StatusException unsupportedMediaType(List<String> supported) {
        return new StatusException(Status.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", supported)));
    }

    /** The same of a patch of a built-in kind, in the words of go-restful, which looks at media types for kube-apiserver. */
    public static StatusException unsupportedMediaType() {
        return new StatusException(new Status(
                415,
                "UnsupportedMediaType",
                "415: Unsupported Media Type",
                new Status.Details("", "", "", "", List.of(), 0)));
    }

    public static StatusException tooLarge(long bytesMax) {
        return tooLarge("limit is " + bytesMax);
    }

    public static StatusException tooLarge(String why) {
        return new StatusException(Status.of(413, "RequestEntityTooLarge", "Request entity too large: " + why));
    }

    /** Fields that are invalid, all at once ({@code NewInvalid}). */
    public static StatusException invalid(String group, String kind, String name, List<Status.Cause> causes) {
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        String message = qualified + " \"" + name + "\" is invalid: " + Causes.aggregate(causes);
        return new StatusException(
                new Status(422, "Invalid", message, new Status.Details(name, group, kind, "", causes, 0)));
    }

    /** Parameters that contradict each other or the API. */
    public static StatusException invalidOptions(String kind, Status.Cause cause) {
        return invalidOptions(kind, List.of(cause));
    }

    /** Parameters that contradict each other or the API, with all problems. */
    public static StatusException invalidOptions(String kind, List<Status.Cause> causes) {
        return invalid("meta.k8s.io", kind, "", causes);
    }

    public static StatusException expired(String message) {
        return new StatusException(Status.of(410, "Expired", message));
    }

    /** A resource version that does not exist yet. */
    public static StatusException tooLargeResourceVersion(long wanted, long current) {
        String message = "Too large resource version: " + wanted + ", current: " + current;
        return new StatusException(new Status(
                504,
                "Timeout",
                "Timeout: " + message,
                new Status.Details(
                        "",
                        "",
                        "",
                        "",
                        List.of(new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "")),
                        1)));
    }

    /**
     * The request exceeds a limit.
     *
     * @param what the limit and its value
     */
    public static StatusException tooManyRequests(String what) {
        return new StatusException(Status.withCause(429, "TooManyRequests", what, "TooManyBytes", 1));
    }

    public static StatusException internal(String problem) {
        String message = "Internal error occurred: " + problem;
        return new StatusException(new Status(
                500,
                "InternalError",
                message,
                new Status.Details("", "", "", "", List.of(new Status.Cause("", problem, "")), 0)));
    }

    /** An operation that met conflicts until its deadline. */
    public static StatusException serverTimeout(GroupResource resource, String operation) {
        String message = "The " + operation + " operation against " + resource
                + " could not be completed at this time, please try again.";
        return about(500, "ServerTimeout", resource, operation, message, List.of(), 1);
    }

    /** Whether a definition serves the resource is unknown, since the cluster has not applied its definitions yet. */
    public static StatusException definitionsBehind(GroupResource resource, Duration waited) {
        return new StatusException(Status.withCause(
                503,
                "ServiceUnavailable",
                "it is not known whether " + resource + " is served: changes of definitions were not taken over within "
                        + waited.toMillis() + " ms (expected them to be soon; try again)",
                "TypeIndexNotSynced",
                1));
    }

    private static StatusException about(
            int code,
            String reason,
            GroupResource resource,
            String name,
            String message,
            List<Status.Cause> causes,
            int retryAfterSeconds) {
        return new StatusException(new Status(
                code,
                reason,
                message,
                new Status.Details(name, resource.group(), resource.resource(), "", causes, retryAfterSeconds)));
    }
}
