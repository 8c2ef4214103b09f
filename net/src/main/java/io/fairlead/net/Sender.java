package io.fairlead.net;

/**
 * By whose right a request is made, how its head names that user, and with which credential it goes. A head is made before it is known
 * over which connection it goes: one that names its caller in another way than a connection's servers expect would be a request of
 * this side's own there, and is not sent.
 */
public enum Sender {
    /** This side itself, with its own credential. */
    OWN,

    /** This side for a caller, whom {@code Impersonate-} headers name; with its own credential. */
    IMPERSONATING,

    /**
     * This side as a front proxy for a caller, whom {@code X-Remote-} headers name; with its own client certificate, and without a user
     * of its own beside the caller. Only to servers that take the certificate for a front proxy's, by {@link Upstream#triedAsFrontProxy}.
     */
    FRONT_PROXY,

    /** The same for a user that does not exist, which shows whether the servers take the certificate for a front proxy's. */
    FRONT_PROXY_TRIAL,

    /**
     * This side for a caller that it has authorized, whom {@code X-Remote-} headers name; with its own client certificate, if it has one,
     * to the backend of an APIService, which decides whether it believes them.
     */
    AGGREGATING,

    /** A caller, with the credential in the head and no other. */
    CALLER
}
