package io.fairlead.cli.server;

import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS with a server whose certificate has another name than the URL's host (a kubeconfig's {@code tls-server-name}).
 * SNI carries that name too (RFC 6066 section 3), unless it is an address.
 *
 * <p>The JDK's HTTP client takes both from the URL, and has no option for them.
 */
final class NamedServerContext extends SSLContext {
    /**
     * Wraps another context.
     *
     * @throws IllegalArgumentException if the name is invalid
     */
    NamedServerContext(SSLContext tls, String name) {
        super(new Engines(tls, name, serverNames(name)), tls.getProvider(), tls.getProtocol());
    }

    private static List<SNIServerName> serverNames(String name) {
        boolean isAddress = name.contains(":") || name.matches("[0-9.]+");
        return isAddress ? List.of() : List.of(new SNIHostName(name));
    }

    /** Only engines; the HTTP client uses no sockets. */
    private static final class Engines extends SSLContextSpi {
        private final SSLContext tls;
        private final String name;
        private final List<SNIServerName> serverNames;

        Engines(SSLContext tls, String name, List<SNIServerName> serverNames) {
            this.tls = tls;
            this.name = name;
            this.serverNames = serverNames;
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return new NamedServerEngine(tls.createSSLEngine(name, port), serverNames);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return new NamedServerEngine(tls.createSSLEngine(name, -1), serverNames);
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw new UnsupportedOperationException("is made of one that is ready");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw new UnsupportedOperationException("makes engines alone");
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new UnsupportedOperationException("makes engines alone");
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return tls.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return tls.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return tls.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return tls.getSupportedSSLParameters();
        }
    }
}
