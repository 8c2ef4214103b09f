package io.fairlead.net;

import java.util.regex.Pattern;

/**
 * Why an exchange failed.
 *
 * @param kind the kind of failure
 * @param message for people: names the endpoint and what was expected; contains no credential
 * @param requestReached whether the server may have started to execute the request; if not, it may be sent again
 */
public record UpstreamFailure(Kind kind, String message, boolean requestReached) {
    /** The endpoint's name in messages. */
    private static final Pattern ENDPOINT = Pattern.compile("https://(\\[[^\\]\\s]*]|[^\\s:/\"]+)(:\\d+)?");

    /** The proxy's name in messages, before the endpoint's name. */
    private static final Pattern PROXY = Pattern.compile("the proxy https?://(\\[[^\\]\\s]*]|[^\\s:/\"]+)(:\\d+)? of ");

    /** The message for callers that may learn the failure, but not the server's address. */
    public String withoutAddress() {
        return withoutAddress("its API server");
    }

    /**
     * The same.
     *
     * @param server in place of the server's name
     */
    public String withoutAddress(String server) {
        String whose = PROXY.matcher(message).lookingAt() ? "the proxy of " + server : server;
        return switch (kind) {
            case ADDRESS_DENIED -> whose + " has an address that may not be connected to";
            case NO_READY_ENDPOINT -> "none of its API servers is ready";
            case UNKNOWN_HOST -> whose + " has a host name that does not resolve";
            case CERTIFICATE -> whose + " presents a certificate that is not trusted";
            case CONNECT, TLS, TIMEOUT, IDENTITY, RESET, PROTOCOL, OVERLOADED, CLOSED ->
                ENDPOINT.matcher(PROXY.matcher(message).replaceAll("the proxy of "))
                        .replaceAll(server);
        };
    }

    public enum Kind {
        /** There are several endpoints, and none is ready. */
        NO_READY_ENDPOINT,
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
        /** The server did not prove to be the expected one, see {@link Introduction}. */
        IDENTITY,
        /** The handshake was not done in time, or the answer did not begin in time. */
        TIMEOUT,
        /** Closed or reset before the answer was complete. */
        RESET,
        /** The answer violates the protocol or a limit. */
        PROTOCOL,
        /** Too many requests wait for a connection. */
        OVERLOADED,
        /** The upstream was closed here. */
        CLOSED
    }
}
