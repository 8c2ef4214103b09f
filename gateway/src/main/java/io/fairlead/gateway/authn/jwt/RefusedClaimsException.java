package io.fairlead.gateway.authn.jwt;

import java.io.Serial;

/** A token that its issuer has signed names no user here. */
final class RefusedClaimsException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String why;

    /**
     * Makes one.
     *
     * @param why in one word, for the log
     * @param told for the bearer
     */
    RefusedClaimsException(String why, String told) {
        super(told, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }

    String told() {
        return String.valueOf(getMessage());
    }
}
