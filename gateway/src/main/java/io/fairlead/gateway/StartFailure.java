package io.fairlead.gateway;

/** Why a gateway cannot start: one line that names the thing, and a hint if one helps. */
public final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String hint;

    StartFailure(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    /** What to do about it, empty if there is nothing to say. */
    public String hint() {
        return hint;
    }
}
