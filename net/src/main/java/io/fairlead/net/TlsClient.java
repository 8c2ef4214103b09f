package io.fairlead.net;

import io.fairlead.credentials.Pem;
import io.fairlead.http.TlsProvider;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;

/**
 * Creates the TLS contexts of an upstream: TLS 1.2 and 1.3, the server verified unless the specification says otherwise, the protocol
 * chosen by ALPN.
 */
final class TlsClient {
    private TlsClient() {}

    /**
     * One that offers HTTP/2 and HTTP/1.1.
     *
     * @throws IllegalArgumentException if a certificate or key of the specification cannot be used, naming the field
     */
    static SslContext contextOf(UpstreamSpec spec) {
        return contextOf(spec, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
    }

    /** One that offers only HTTP/1.1, the only version in which a connection can be upgraded. */
    static SslContext http1ContextOf(UpstreamSpec spec) {
        return contextOf(spec, ApplicationProtocolNames.HTTP_1_1);
    }

    /** One for the specification's proxy: verified like the servers, without a client certificate. */
    static SslContext contextOfProxy(UpstreamSpec spec) {
        return built(trusting(spec, ApplicationProtocolNames.HTTP_1_1));
    }

    private static SslContext contextOf(UpstreamSpec spec, String... protocols) {
        SslContextBuilder builder = trusting(spec, protocols);
        identify(builder, spec);
        return built(builder);
    }

    private static SslContextBuilder trusting(UpstreamSpec spec, String... protocols) {
        SslContextBuilder builder = spec.isVerified()
                ? SslContextBuilder.forClient()
                        .trustManager(ServerTrust.of(spec.caBundle()))
                        .endpointIdentificationAlgorithm("HTTPS")
                : SslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .endpointIdentificationAlgorithm(null);
        return builder.sslProvider(TlsProvider.preferred())
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(TlsProvider.ciphers(), SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        protocols));
    }

    private static SslContext built(SslContextBuilder builder) {
        try {
            return TlsProvider.build(builder);
        } catch (SSLException e) {
            throw new IllegalArgumentException("the upstream's certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static void identify(SslContextBuilder builder, UpstreamSpec spec) {
        String certificate = spec.clientCertificate();
        String key = spec.clientKey();
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "clientCertificate and clientKey: only one is given (expected both or none)");
        }
        if (certificate == null || key == null) {
            return;
        }
        PrivateKey privateKey = Pem.privateKey("clientKey", key);
        X509Certificate[] chain =
                Pem.certificates("clientCertificate", certificate).toArray(X509Certificate[]::new);
        if (!chain[0].getPublicKey().getAlgorithm().equals(privateKey.getAlgorithm())) {
            throw new IllegalArgumentException("clientKey: it is not the key of the certificate in clientCertificate");
        }
        builder.keyManager(privateKey, chain);
    }
}
