package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;

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
    static StepFailure of(CallFailure failure, String verb, String path) {
        if (failure.code() != 403) {
            return new StepFailure(failure.reason(), failure.message());
        }
        return new StepFailure(
                "Forbidden",
                "Fairlead's credential may not " + verb + " " + path + " in the target (expected "
                        + Rights.granting(verb, path) + "): " + failure.message());
    }

    Progress.Observed observed() {
        return Progress.Observed.failed(reason, String.valueOf(getMessage()));
    }
}
