package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Tells in words what went wrong with an endpoint. Nothing that was sent or received is repeated. */
final class Failures {
    private static final int CAUSES_MAX = 10;
    private static final String NO_MORE_IS_TOLD =
            " (of an address that upstream.allowedAddresses does not name no more is told)";

    private Failures() {}

    static UpstreamFailure resolving(Endpoint endpoint, Throwable cause) {
        Throwable root = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        return root instanceof UnknownHostException
                ? unreached(Kind.UNKNOWN_HOST, endpoint + ": the host \"" + endpoint.host() + "\" does not resolve")
                : unreached(Kind.UNKNOWN_HOST, endpoint + ": looking up the host failed");
    }

    static UpstreamFailure lookUpTimeout(Endpoint endpoint, Duration timeout) {
        return unreached(
                Kind.UNKNOWN_HOST,
                endpoint + ": the host \"" + endpoint.host() + "\" was not looked up within " + seconds(timeout));
    }

    /** Without what a name stands for: who registers clusters may not be one that the network's names are told to. */
    static UpstreamFailure denied(Endpoint endpoint, String address, String why) {
        String told =
                address.equals(endpoint.host()) ? address : "what the host \"" + endpoint.host() + "\" resolves to";
        return unreached(Kind.ADDRESS_DENIED, endpoint + ": connecting to " + told + " is refused: " + why);
    }

    /**
     * No connection.
     *
     * @param isNamed whether {@link AddressPolicy#names} the address, so that it may be told what is found there
     */
    static UpstreamFailure connecting(Endpoint endpoint, Throwable cause, Duration timeout, boolean isNamed) {
        if (!isNamed) {
            return notConnected(endpoint);
        }
        if (cause instanceof ConnectTimeoutException) {
            return unreached(Kind.CONNECT, endpoint + " accepted no connection within " + seconds(timeout));
        }
        if (cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused")) {
            return unreached(Kind.CONNECT, endpoint + " refuses connections");
        }
        return unreached(Kind.CONNECT, endpoint + " cannot be reached");
    }

    /** Alike whether the port is closed, silent, or another protocol's. */
    private static UpstreamFailure notConnected(Endpoint endpoint) {
        return unreached(
                Kind.CONNECT,
                endpoint + ": no TLS connection came about: refused, timed out, or not TLS" + NO_MORE_IS_TOLD);
    }

    /**
     * A connection, but no handshake.
     *
     * @param isNamed whether {@link AddressPolicy#names} the address
     */
    static UpstreamFailure handshaking(Endpoint endpoint, Throwable cause, Duration timeout, boolean isNamed) {
        CertificateRefused refused = find(cause, CertificateRefused.class);
        if (refused != null) {
            String what = isNamed ? refused.getMessage() : refused.withoutContent() + NO_MORE_IS_TOLD;
            return unreached(Kind.CERTIFICATE, endpoint + " presents " + what);
        }
        if (find(cause, NotSslRecordException.class) != null) {
            return isNamed ? unreached(Kind.TLS, endpoint + " does not speak TLS") : notConnected(endpoint);
        }
        if (find(cause, SslHandshakeTimeoutException.class) != null) {
            return handshakeTimeout(endpoint, timeout, isNamed);
        }
        if (find(cause, ClosedChannelException.class) != null) {
            return isNamed
                    ? unreached(Kind.TLS, endpoint + " closed the connection during the TLS handshake")
                    : notConnected(endpoint);
        }
        SSLException alert = find(cause, SSLException.class);
        return unreached(
                Kind.TLS, endpoint + ": the TLS handshake failed" + (alert == null ? "" : ": " + alert.getMessage()));
    }

    static UpstreamFailure handshakeTimeout(Endpoint endpoint, Duration timeout, boolean isNamed) {
        return isNamed
                ? unreached(Kind.TIMEOUT, endpoint + " did not finish the TLS handshake within " + seconds(timeout))
                : notConnected(endpoint);
    }

    /** After the handshake; the request may have been read. */
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

    /** It is this side that failed; the request may be on its way. */
    static UpstreamFailure brokenHere(String what, Throwable cause) {
        return reached(
                Kind.RESET, what + " was broken off here: " + cause.getClass().getSimpleName());
    }

    /** It is this side that failed, before there was a connection. */
    static UpstreamFailure brokenDial(Endpoint endpoint, Throwable cause) {
        return unreached(
                Kind.CONNECT,
                endpoint + ": connecting was broken off here: "
                        + cause.getClass().getSimpleName());
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
