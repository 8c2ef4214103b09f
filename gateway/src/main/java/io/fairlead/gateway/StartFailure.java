package io.fairlead.gateway;

/** Why a gateway cannot start: one line that names the cause, and an optional hint. */
public final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String hint;

    StartFailure(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    /** What to do about it, empty if there is no hint. */
    public String hint() {
        return hint;
    }
}
