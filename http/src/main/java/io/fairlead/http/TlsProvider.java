package io.fairlead.http;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.List;

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

    private TlsProvider() {}

    /** The cipher suites for clients and servers, the preferred ones first. */
    public static List<String> ciphers() {
        return CIPHERS;
    }

    public static SslProvider preferred() {
        return OpenSsl.isAvailable() && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }
}
