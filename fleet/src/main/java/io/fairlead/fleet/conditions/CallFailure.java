package io.fairlead.fleet.conditions;

import java.util.regex.Pattern;

/** A cluster did not answer as it was asked to. */
final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is asked for is older than what the server keeps (410). */
    static final int GONE = 410;

    private static final int MESSAGE_CHARS_MAX = 1024;
    private static final Pattern REASON = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,127}");

    private final int code;
    private final String reason;

    /**
     * A failure.
     *
     * @param code of the answer; 0 if there is none
     * @param reason for programs, in CamelCase; another one, as a cluster may send, is not taken over
     * @param message for people, without an address or a credential; shortened, since a cluster may send much
     */
    CallFailure(int code, String reason, String message) {
        super(message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)), null, false, false);
        this.code = code;
        this.reason = REASON.matcher(reason).matches() ? reason : "UnexpectedAnswer";
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
