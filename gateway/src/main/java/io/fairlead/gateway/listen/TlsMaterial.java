package io.fairlead.gateway.listen;

import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration of the listener.
 *
 * @param certificateChain the serving certificate and its chain, PEM
 * @param privateKey its PKCS #8 key, PEM
 * @param clientCa the CAs that sign client certificates, PEM; null if there are none
 * @param frontProxyCa the CAs that sign the certificates of front proxies, PEM; null if there are none
 */
public record TlsMaterial(
        String certificateChain,
        String privateKey,
        @Nullable String clientCa,
        @Nullable String frontProxyCa) {
    /** Omits the private key. */
    @Override
    public String toString() {
        return "TlsMaterial[clientCa=" + (clientCa != null) + "]";
    }
}
