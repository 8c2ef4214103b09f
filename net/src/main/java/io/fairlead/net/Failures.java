package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.fairlead.net.address.AddressPolicy;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes failures of an endpoint. Repeats nothing of requests and answers; of certificates and alerts only where the address is named. */
final class Failures {
    private static final int CAUSES_MAX = 10;
    private static final String NO_MORE_IS_TOLD =
            " (details are withheld: upstream.allowedAddresses does not name this address)";

    private Failures() {}

    static UpstreamFailure resolving(Hop hop, Throwable cause) {
        Throwable root = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        return root instanceof UnknownHostException
                ? unreached(Kind.UNKNOWN_HOST, hop + ": the host \"" + hop.host() + "\" does not resolve")
                : unreached(Kind.UNKNOWN_HOST, hop + ": looking up the host failed");
    }

    static UpstreamFailure lookUpTimeout(Hop hop, Duration timeout) {
        return unreached(
                Kind.UNKNOWN_HOST,
                hop + ": the host \"" + hop.host() + "\" was not looked up within " + seconds(timeout));
    }

    /**
     * Without the addresses of a name: callers that register clusters may not be allowed to learn the network's names.
     */
    static UpstreamFailure denied(Hop hop, String address, String why) {
        String told = address.equals(hop.host()) ? address : "what the host \"" + hop.host() + "\" resolves to";
        return unreached(Kind.ADDRESS_DENIED, hop + ": connecting to " + told + " is refused: " + why);
    }

    /**
     * No connection.
     *
     * @param isNamed whether {@link AddressPolicy#names} the address, so that the text may reveal what is found there
     */
    static UpstreamFailure connecting(Hop hop, Throwable cause, Duration timeout, boolean isNamed) {
        if (!isNamed) {
            return notConnected(hop);
        }
        if (cause instanceof ConnectTimeoutException) {
            return unreached(Kind.CONNECT, hop + " accepted no connection within " + seconds(timeout));
        }
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return unreached(Kind.CONNECT, hop + " refuses connections");
        }
        return unreached(Kind.CONNECT, hop + " cannot be reached");
    }

    /** The same text for a closed port, a silent one, or another protocol's. */
    private static UpstreamFailure notConnected(Hop hop) {
        return unreached(
                Kind.CONNECT, hop + ": no TLS connection came about: refused, timed out, or not TLS" + NO_MORE_IS_TOLD);
    }

    /**
     * A connection, but no handshake.
     *
     * @param isNamed whether {@link AddressPolicy#names} the address
     */
    static UpstreamFailure handshaking(Hop hop, Throwable cause, Duration timeout, boolean isNamed) {
        CertificateRefused refused = find(cause, CertificateRefused.class);
        if (refused != null) {
            String what = isNamed ? refused.getMessage() : refused.withoutContent() + NO_MORE_IS_TOLD;
            return unreached(Kind.CERTIFICATE, hop + " presents " + what);
        }
        if (find(cause, NotSslRecordException.class) != null) {
            return isNamed ? unreached(Kind.TLS, hop + " does not speak TLS") : notConnected(hop);
        }
        if (find(cause, SslHandshakeTimeoutException.class) != null) {
            return handshakeTimeout(hop, timeout, isNamed);
        }
        SSLException alert = find(cause, SSLException.class);
        boolean isReset = alert == null && find(cause, IOException.class) != null;
        if (isReset || find(cause, ClosedChannelException.class) != null) {
            return isNamed
                    ? unreached(Kind.CONNECT, hop + " closed the connection during the TLS handshake")
                    : notConnected(hop);
        }
        return unreached(
                Kind.TLS, hop + ": the TLS handshake failed" + (alert == null ? "" : ": " + alert.getMessage()));
    }

    /** A connection to a proxy, but no answer that opens the tunnel. */
    static UpstreamFailure tunnelling(Hop proxy, Throwable cause, Duration timeout, boolean isNamed) {
        if (find(cause, CertificateRefused.class) != null || find(cause, SSLException.class) != null) {
            return handshaking(proxy, cause, timeout, isNamed);
        }
        return isNamed
                ? unreached(Kind.CONNECT, proxy + " did not answer CONNECT (expected an HTTP proxy)")
                : notConnected(proxy);
    }

    static UpstreamFailure tunnelTimeout(Hop proxy, Duration timeout, boolean isNamed) {
        return isNamed
                ? unreached(Kind.CONNECT, proxy + " did not answer CONNECT within " + seconds(timeout))
                : notConnected(proxy);
    }

    /** The proxy refuses, or cannot reach the server. */
    static UpstreamFailure tunnelRefused(Hop proxy, int status, boolean isNamed) {
        String expected = status == 407 ? " (expected one that asks for no credential)" : "";
        return isNamed
                ? unreached(Kind.CONNECT, proxy + " answered CONNECT with " + status + expected)
                : notConnected(proxy);
    }

    static UpstreamFailure handshakeTimeout(Hop hop, Duration timeout, boolean isNamed) {
        return isNamed
                ? unreached(Kind.TIMEOUT, hop + " did not finish the TLS handshake within " + seconds(timeout))
                : notConnected(hop);
    }

    /** After the handshake; the server may have read the request. */
    static UpstreamFailure broken(Endpoint endpoint, Throwable cause) {
        SSLException alert = find(cause, SSLException.class);
        if (alert != null) {
            return reached(Kind.TLS, endpoint + " ended the TLS connection: " + alert.getMessage());
        }
        if (cause instanceof DecoderException) {
            return reached(Kind.PROTOCOL, endpoint + " sent what is not valid HTTP");
        }
        return reached(Kind.RESET, endpoint + " reset the connection");
    }

    /**
     * The connection closed before an answer was complete.
     *
     * @param amidBody whether the answer was to end with the connection, which was cut instead
     */
    static UpstreamFailure cut(Endpoint endpoint, boolean amidBody) {
        return reached(
                Kind.RESET,
                endpoint
                        + (amidBody
                                ? " cut the connection in the middle of its answer"
                                : " closed the connection before its answer was complete"));
    }

    /** An internal failure; the request may have been sent. */
    static UpstreamFailure brokenHere(String what, Throwable cause) {
        return reached(
                Kind.RESET, what + " was broken off here: " + cause.getClass().getSimpleName());
    }

    /** An internal failure, before there was a connection. */
    static UpstreamFailure brokenDial(Hop hop, Throwable cause) {
        return unreached(
                Kind.CONNECT,
                hop + ": connecting was broken off here: " + cause.getClass().getSimpleName());
    }

    static UpstreamFailure unreached(Kind kind, String message) {
        return new UpstreamFailure(kind, message, false);
    }

    static UpstreamFailure reached(Kind kind, String message) {
        return new UpstreamFailure(kind, message, true);
    }

    static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++, cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
