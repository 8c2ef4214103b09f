package io.fairlead.net;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an upstream, whatever this side's credential for them: where they are, how they are reached and what proves them.
 *
 * @param endpoints their URLs
 * @param caBundle the PEM certificates that must have signed theirs, or null for the system's trust
 * @param tlsServerName the name that their certificates must be for, or null for the endpoint's host
 * @param proxy the HTTP proxy to them, or null
 */
public record Servers(
        List<URI> endpoints,
        @Nullable String caBundle,
        @Nullable String tlsServerName,
        @Nullable URI proxy) {
    public Servers {
        endpoints = List.copyOf(endpoints);
    }

    /** Omits what proves them, which is long. */
    @Override
    public String toString() {
        return "Servers[endpoints=" + endpoints + ", tlsServerName=" + tlsServerName + ", proxy=" + proxy + "]";
    }
}
