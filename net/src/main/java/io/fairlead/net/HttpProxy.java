package io.fairlead.net;

import io.netty.handler.ssl.SslContext;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy through which the servers of an upstream are reached by {@code CONNECT} (RFC 9110 section 9.3.6). The
 * proxy resolves the names of servers. Thread-safe.
 */
final class HttpProxy {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int PORT_MAX = 65_535;

    private final URI uri;
    private final @Nullable SslContext tls;

    private HttpProxy(URI uri, @Nullable SslContext tls) {
        this.uri = uri;
        this.tls = tls;
    }

    /**
     * The proxy of a specification; null if it names none. Over TLS it is verified like the servers, as kubectl does,
     * and gets no client certificate.
     *
     * @throws IllegalArgumentException if it cannot be used
     */
    static @Nullable HttpProxy of(UpstreamSpec spec) {
        URI uri = spec.proxy();
        if (uri == null) {
            return null;
        }
        boolean isHttp = "http".equals(uri.getScheme());
        if ((!isHttp && !"https".equals(uri.getScheme()))
                || uri.getHost() == null
                || uri.getRawUserInfo() != null
                || uri.getPort() == 0
                || uri.getPort() > PORT_MAX) {
            throw new IllegalArgumentException("proxy: expected http[s]://host[:port] without a credential");
        }
        return new HttpProxy(uri, isHttp ? null : TlsClient.contextOfProxy(spec));
    }

    /** The TLS context of the proxy itself; null without TLS. */
    @Nullable
    SslContext tls() {
        return tls;
    }

    /** The host without the brackets of an IPv6 literal. */
    String host() {
        return Endpoint.withoutBrackets(uri.getHost());
    }

    int port() {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return tls == null ? HTTP_PORT : HTTPS_PORT;
    }

    /** Scheme, host and port, as failures name it. */
    @Override
    public String toString() {
        return uri.getScheme() + "://" + uri.getHost() + ":" + port();
    }
}
