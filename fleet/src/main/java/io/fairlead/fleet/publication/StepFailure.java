package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;

/** A step is not done; the steps behind it wait. */
final class StepFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * A failure.
     *
     * @param reason for programs, in CamelCase
     * @param message for people: what was observed and what is expected
     */
    StepFailure(String reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    /** What a target refuses, with the rule that would grant it if it is a right that is missing. */
    static StepFailure of(CallFailure failure, String verb, String target) {
        if (failure.code() != 403) {
            return new StepFailure(failure.reason(), failure.message());
        }
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String asked = mark < 0 ? verb : "list"; // Nothing but lists is asked for by a query.
        return new StepFailure(
                "Forbidden",
                "Fairlead's credential may not " + asked + " " + path + " in the target (expected "
                        + granting(asked, path) + "): " + failure.message());
    }

    /** The rule for a request, as a Role has it. */
    private static String granting(String verb, String path) {
        RequestInfo info = RequestInfoParser.parse("GET", path, "");
        return "a rule {apiGroups: [\"" + info.group() + "\"], resources: [\"" + info.resource() + "\"], verbs: [\""
                + verb + "\"]}";
    }

    Progress.Observed observed() {
        return Progress.Observed.failed(reason, String.valueOf(getMessage()));
    }
}
