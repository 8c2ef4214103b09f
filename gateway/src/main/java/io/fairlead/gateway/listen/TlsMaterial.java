package io.fairlead.gateway.listen;

import org.jspecify.annotations.Nullable;

/**
 * What the listener needs for TLS.
 *
 * @param certificateChain the serving certificate and its chain, PEM
 * @param privateKey its PKCS #8 key, PEM
 * @param clientCa the CAs that sign client certificates, PEM; null if there are none
 */
public record TlsMaterial(
        String certificateChain,
        String privateKey,
        @Nullable String clientCa) {
    /** Leaves the private key out. */
    @Override
    public String toString() {
        return "TlsMaterial[clientCa=" + (clientCa != null) + "]";
    }
}
