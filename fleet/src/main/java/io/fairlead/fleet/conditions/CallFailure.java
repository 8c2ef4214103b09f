package io.fairlead.fleet.conditions;

/** A cluster did not answer as it was asked to. */
final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is asked for is older than what the server keeps (410). */
    static final int GONE = 410;

    private final int code;
    private final String reason;

    /**
     * A failure.
     *
     * @param code of the answer; 0 if there is none
     * @param reason for programs, in CamelCase
     * @param message for people, without an address or a credential
     */
    CallFailure(int code, String reason, String message) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
    }

    boolean isGone() {
        return code == GONE;
    }

    int code() {
        return code;
    }

    String reason() {
        return reason;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
