package io.fairlead.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failure as every Kubernetes client expects it: the {@code v1 Status} of apimachinery's {@code meta/v1}, without its
 * encoding.
 *
 * @param code the HTTP status code
 * @param reason the machine-readable reason, empty if none
 * @param message the text for people: names the offending value and what was expected
 * @param details the subject, if there is one
 * @param isWarning whether the message is also sent in a {@code Warning} header, for clients that do not show the body;
 *     that of a 5xx always is
 */
public record Status(
        int code, String reason, String message, @Nullable Details details, boolean isWarning) {
    /** A failure that only the body reports. */
    public Status(int code, String reason, String message, @Nullable Details details) {
        this(code, reason, message, details, false);
    }

    /**
     * The subject of a failure.
     *
     * @param name the object's name, empty if none
     * @param group the group of {@code kind}
     * @param kind the plural resource (for {@code Invalid}: the kind)
     * @param uid the object's uid, empty if none
     * @param causes each single problem
     * @param retryAfterSeconds when to try again, 0 if not given
     */
    public record Details(
            String name, String group, String kind, String uid, List<Cause> causes, int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }
    }

    /**
     * One problem.
     *
     * @param reason the machine-readable reason ({@code FieldValueInvalid})
     * @param message the text for people
     * @param field the path of the field ({@code spec.replicas}), empty if none
     */
    public record Cause(String reason, String message, String field) {}

    /** A failure without details. */
    public static Status of(int code, String reason, String message) {
        return new Status(code, reason, message, null);
    }

    /** A failure with one cause, by which callers distinguish failures ({@code TypeIndexNotSynced}). */
    public static Status withCause(int code, String reason, String message, String cause, int retryAfterSeconds) {
        return new Status(
                code,
                reason,
                message,
                new Details("", "", "", "", List.of(new Cause(cause, message, "")), retryAfterSeconds));
    }

    public static Status badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    public static Status unauthorized() {
        return unauthorized("");
    }

    /** The same, with what is wrong with the credential; empty if that is not told. */
    public static Status unauthorized(String told) {
        return of(401, "Unauthorized", told.isEmpty() ? "Unauthorized" : "Unauthorized: " + told);
    }

    /**
     * The refusal of an authorizer, in the words of Kubernetes (apiserver {@code responsewriters/errors.go}).
     *
     * @param reason the authorizer's reason; may be empty
     */
    public static Status forbidden(UserInfo user, RequestInfo request, String reason) {
        String denial = escapeHtml("User \"" + user.name() + "\" cannot " + request.verb() + whatItAsksFor(request));
        return forbidden(request.groupResource(), request.name(), reason.isEmpty() ? denial : denial + ": " + reason);
    }

    /** A refusal for another reason than the authorizer's; the resource and the name may be empty. */
    public static Status forbidden(GroupResource resource, String name, String why) {
        String what = resource.resource().isEmpty()
                ? "forbidden"
                : resource + (name.isEmpty() ? "" : " \"" + name + "\"") + " is forbidden";
        return new Status(
                403,
                "Forbidden",
                what + ": " + why,
                new Details(name, resource.group(), resource.resource(), "", List.of(), 0));
    }

    private static String whatItAsksFor(RequestInfo request) {
        if (!request.resourceRequest()) {
            return " path \"" + request.path() + "\"";
        }
        String resource =
                request.subresource().isEmpty() ? request.resource() : request.resource() + "/" + request.subresource();
        String scope = request.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace \"" + request.namespace() + "\"";
        return " resource \"" + resource + "\" in API group \"" + request.group() + "\"" + scope;
    }

    /** Text chosen by the caller must not look like HTML to a browser. */
    private static String escapeHtml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /**
     * The same, also in a {@code Warning} header. For failures during discovery, whose body kubectl and helm do not
     * show (client-go {@code discovery}).
     */
    public Status asWarning() {
        return new Status(code, reason, message, details, true);
    }

    public static Status notFound(GroupResource resource, String name) {
        return new Status(
                404,
                "NotFound",
                resource + " \"" + name + "\" not found",
                new Details(name, resource.group(), resource.resource(), "", List.of(), 0));
    }

    /** The seconds to wait before trying again, 0 if not given; also the {@code Retry-After} header. */
    public int retryAfterSeconds() {
        return details == null ? 0 : details.retryAfterSeconds();
    }
}
