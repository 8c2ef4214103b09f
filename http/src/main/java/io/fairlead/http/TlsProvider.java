package io.fairlead.http;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.List;
import javax.net.ssl.SSLException;

/** The TLS engine in use, BoringSSL where its native library loads, otherwise the JDK's; and what it agrees to. */
public final class TlsProvider {
    /** Those with forward secrecy and authenticated encryption: all that HTTP/2 allows (RFC 9113 section 9.2.2). */
    private static final List<String> CIPHERS = List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256");

    /**
     * The native buffer that each connection keeps for what TLS says by itself while it reads. An alert, or the last
     * flight of a client without a certificate, fits; what is longer is handed over in parts. Netty's default, 2 KiB, is
     * more than a third of what BoringSSL keeps of an idle connection.
     */
    private static final int SPOKEN_WHILE_READING_BYTES = 128;

    private TlsProvider() {}

    /** The cipher suites for clients and servers, the preferred ones first. */
    public static List<String> ciphers() {
        return CIPHERS;
    }

    /** Builds a context whose connections keep little while they are idle. */
    public static SslContext build(SslContextBuilder builder) throws SSLException {
        SslContext context = builder.build();
        if (context instanceof ReferenceCountedOpenSslContext boringSsl) {
            boringSsl.setBioNonApplicationBufferSize(SPOKEN_WHILE_READING_BYTES);
        }
        return context;
    }

    public static SslProvider preferred() {
        return OpenSsl.isAvailable() && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }
}
