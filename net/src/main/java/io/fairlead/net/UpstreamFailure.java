package io.fairlead.net;

/**
 * Why an exchange failed.
 *
 * @param kind what happened
 * @param message for people: names the endpoint and what was expected; carries no credential
 * @param requestReached whether the server may have begun to act on the request; if not, it may be sent again
 */
public record UpstreamFailure(Kind kind, String message, boolean requestReached) {
    public enum Kind {
        /** The endpoint's address is denied by the policy. */
        ADDRESS_DENIED,
        /** The name does not resolve. */
        UNKNOWN_HOST,
        /** Refused, unreachable or not connected in time. */
        CONNECT,
        /** The handshake failed. */
        TLS,
        /** The certificate is not signed by the expected CA, expired, or for another name. */
        CERTIFICATE,
        /** The handshake was not done in time, or the answer did not begin in time. */
        TIMEOUT,
        /** Closed or reset before the answer was complete. */
        RESET,
        /** The answer breaks the protocol or a limit. */
        PROTOCOL,
        /** Too many requests wait for a connection. */
        OVERLOADED,
        /** The upstream was closed here. */
        CLOSED
    }
}
