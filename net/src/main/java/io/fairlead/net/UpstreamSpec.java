package io.fairlead.net;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an upstream is and how it is trusted.
 *
 * @param endpoints at least one {@code https://host[:port]}, all equal
 * @param caBundle PEM certificates that must have signed the server's, or null for the system's trust
 * @param tlsServerName the name that the certificate must be for and that SNI carries, or null for the endpoint's host
 * @param clientCertificate the PEM certificate chain to present, or null
 * @param clientKey its PEM private key, or null
 */
public record UpstreamSpec(
        List<URI> endpoints,
        @Nullable String caBundle,
        @Nullable String tlsServerName,
        @Nullable String clientCertificate,
        @Nullable String clientKey) {
    public UpstreamSpec {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints: [] (expected at least one https URL)");
        }
    }

    /** Leaves the private key out. */
    @Override
    public String toString() {
        return "UpstreamSpec[endpoints=" + endpoints + ", tlsServerName=" + tlsServerName + "]";
    }
}
