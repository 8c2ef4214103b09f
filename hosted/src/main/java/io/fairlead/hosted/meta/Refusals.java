package io.fairlead.hosted.meta;

import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.List;

/** The answers that end a request without success, in the words of apimachinery {@code api/errors}. */
public final class Refusals {
    private static final String OBJECT_MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private Refusals() {}

    public static StatusException badRequest(String message) {
        return new StatusException(Status.badRequest(message));
    }

    /** A path that names nothing that is served. */
    public static StatusException unknownPath() {
        return new StatusException(Status.of(404, "NotFound", "the server could not find the requested resource"));
    }

    public static StatusException notFound(GroupResource resource, String name) {
        return new StatusException(Status.notFound(resource, name));
    }

    /**
     * There is one of that name.
     *
     * @param isBeingDeleted whether it goes soon
     */
    public static StatusException alreadyExists(GroupResource resource, String name, boolean isBeingDeleted) {
        String message =
                (isBeingDeleted ? "object is being deleted: " : "") + resource + " \"" + name + "\" already exists";
        return about(409, "AlreadyExists", resource, name, message, List.of(), 0);
    }

    public static StatusException noNameGenerated(GroupResource resource, String name) {
        String message = resource + " \"" + name
                + "\" already exists, the server was not able to generate a unique name for the object";
        return about(409, "AlreadyExists", resource, name, message, List.of(), 1);
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

    /** A method that no route of a path takes. */
    public static StatusException methodNotAllowed() {
        return new StatusException(new Status(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                new Status.Details("", "", "", "", List.of(), 0)));
    }

    public static StatusException unsupportedMediaType(List<String> supported) {
        return new StatusException(Status.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", supported)));
    }

    public static StatusException tooLarge(long bytesMax) {
        return new StatusException(
                Status.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + bytesMax));
    }

    /** Fields that break rules, all at once ({@code NewInvalid}). */
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

    /** Parameters that contradict each other or the API, with all that is wrong with them. */
    public static StatusException invalidOptions(String kind, List<Status.Cause> causes) {
        return invalid("meta.k8s.io", kind, "", causes);
    }

    public static StatusException expired(String message) {
        return new StatusException(Status.of(410, "Expired", message));
    }

    /** A revision that is not there yet. */
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
     * More is asked for than may be held or done at once.
     *
     * @param what is beyond which limit, with its amount
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

    /** An operation that found no way through in its time. */
    public static StatusException serverTimeout(GroupResource resource, String operation) {
        String message = "The " + operation + " operation against " + resource
                + " could not be completed at this time, please try again.";
        return about(500, "ServerTimeout", resource, operation, message, List.of(), 1);
    }

    /** Whether a definition serves something is not known, since the cluster has not caught up with its definitions. */
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
