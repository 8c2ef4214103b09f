package io.fairlead.fleet.informers;

import java.util.regex.Pattern;

/** A cluster did not answer as it was asked to. Threads: any; immutable. */
public final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is asked for is older than what the server keeps (410). */
    static final int GONE = 410;

    private static final String TOO_LARGE = "AnswerTooLarge";
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
    public CallFailure(int code, String reason, String message) {
        super(message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX)), null, false, false);
        this.code = code;
        this.reason = REASON.matcher(reason).matches() ? reason : "UnexpectedAnswer";
    }

    /** More than may be read at once. */
    static CallFailure tooLarge(String what, int bytesMax) {
        return new CallFailure(0, TOO_LARGE, what + " has more than " + bytesMax + " bytes");
    }

    /** Whether it was more than may be read at once. */
    boolean isTooLarge() {
        return reason.equals(TOO_LARGE);
    }

    /** Whether what was asked for is older than what the server keeps. */
    public boolean isGone() {
        return code == GONE;
    }

    /** Of the answer; 0 if there is none. */
    public int code() {
        return code;
    }

    /** For programs, in CamelCase. */
    public String reason() {
        return reason;
    }

    /** For people, at most 1024 characters, without an address or a credential. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
