package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.Status;
import io.fairlead.schema.field.GoText;
import java.util.ArrayList;
import java.util.List;

/**
 * The age that a read accepts ({@code resourceVersion} and {@code resourceVersionMatch}; API conventions, "Resource
 * versions").
 */
sealed interface ReadVersion {
    /** The newest state: unset, or 0, which would also allow older ones. */
    record Newest() implements ReadVersion {}

    /** Any state at least this new. */
    record NotOlderThan(long revision) implements ReadVersion {}

    /** Exactly the state at a revision. */
    record Exact(long revision) implements ReadVersion {}

    /** For a single object. */
    static ReadVersion ofGet(ApiRequest request) {
        long revision = revision(request);
        return revision == 0 ? new Newest() : new NotOlderThan(revision);
    }

    /**
     * Refuses options of a list that contradict each other (apimachinery {@code ValidateListOptions}).
     *
     * @throws io.fairlead.model.StatusException 422 that names all of them
     */
    static void checkOptions(ApiRequest request) {
        String match = parameter(request, "resourceVersionMatch");
        List<Status.Cause> causes = new ArrayList<>();
        if (!match.isEmpty()) {
            checkMatch(
                    match,
                    parameter(request, "resourceVersion"),
                    !parameter(request, "continue").isEmpty(),
                    causes);
        }
        if (request.parameter("sendInitialEvents") != null) {
            causes.add(Causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions("ListOptions", causes);
        }
    }

    /** For a list. */
    static ReadVersion ofList(ApiRequest request, boolean limited) {
        String match = parameter(request, "resourceVersionMatch");
        String text = parameter(request, "resourceVersion");
        boolean continued = !parameter(request, "continue").isEmpty();
        if (continued && !text.isEmpty() && !text.equals("0")) {
            throw Refusals.badRequest("specifying resource version is not allowed when using continue");
        }
        long revision = revision(request);
        if (revision == 0) {
            return new Newest();
        }
        boolean exact = match.equals("Exact") || (match.isEmpty() && limited);
        return exact ? new Exact(revision) : new NotOlderThan(revision);
    }

    /** The requested revision, 0 if none. */
    static long revision(ApiRequest request) {
        String text = parameter(request, "resourceVersion");
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long revision = Long.parseUnsignedLong(text.startsWith("+") ? "" : text); // Go takes no sign here
            return revision < 0 ? Long.MAX_VALUE : revision;
        } catch (NumberFormatException e) {
            throw Refusals.badRequest("invalid resource version: resourceVersion: Invalid value: " + GoText.quote(text)
                    + ": strconv.ParseUint: parsing " + GoText.quote(text) + ": invalid syntax");
        }
    }

    static String parameter(ApiRequest request, String name) {
        String value = request.parameter(name);
        return value == null ? "" : value;
    }

    /** A number of the options; 0 if it is not given; one that is given without a value is no number. */
    static long number(ApiRequest request, String parameter) {
        String text = request.parameter(parameter);
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Refusals.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
    }

    private static void checkMatch(String match, String revision, boolean continued, List<Status.Cause> causes) {
        if (revision.isEmpty()) {
            causes.add(Causes.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (continued) {
            causes.add(Causes.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"));
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            causes.add(Causes.notSupported("resourceVersionMatch", match, List.of("Exact", "NotOlderThan", "")));
        }
        if (match.equals("Exact") && revision.equals("0")) {
            causes.add(Causes.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
    }
}
