package io.fairlead.http;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** The TLS engine in use: BoringSSL where its native library loads, otherwise the JDK's. */
public final class TlsProvider {
    private TlsProvider() {}

    public static SslProvider preferred() {
        return OpenSsl.isAvailable() && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }
}
