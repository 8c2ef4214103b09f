package io.fairlead.gateway.authn.jwt;

import io.fairlead.credentials.jwt.TokenKeys;
import java.io.Serial;

/** Where the keys of an issuer are read. */
interface KeySource {
    /** Reads them; blocks, for a bounded time. */
    TokenKeys read() throws UnreadableException, InterruptedException;

    /** They cannot be read. */
    final class UnreadableException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        /** With what went wrong and what was expected. */
        UnreadableException(String problem) {
            super(problem, null, false, false);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }
}
