package io.fairlead.net;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses, trust and credential of an upstream.
 *
 * @param endpoints at least one {@code https://host[:port][/path]}, all equivalent; requests go below the path
 * @param caBundle PEM certificates that must have signed the server's, or null for the system's trust
 * @param tlsServerName the name that the certificate must be for and that SNI carries, or null for the endpoint's host
 * @param clientCertificate the PEM certificate chain to present, or null
 * @param clientKey its PEM private key, or null
 * @param bearerToken the token of every request to these endpoints, or null. It is added when a request is put on a
 *     connection of exactly this specification, so that it can never reach the endpoints of another
 * @param proxy the HTTP proxy to the endpoints, {@code http://host[:port]} or {@code https://…}; null for direct
 *     connections
 * @param isVerified whether the server's certificate must be signed by those CAs and be for that name; false only where the one
 *     who names the server says that it must not ({@code insecureSkipTLSVerify} of an APIService)
 * @param ownUser the user that this side's own requests name, where the client certificate is that of a front proxy, which is no
 *     user by itself; null everywhere else
 */
public record UpstreamSpec(
        List<URI> endpoints,
        @Nullable String caBundle,
        @Nullable String tlsServerName,
        @Nullable String clientCertificate,
        @Nullable String clientKey,
        @Nullable String bearerToken,
        @Nullable URI proxy,
        boolean isVerified,
        @Nullable String ownUser) {
    public UpstreamSpec {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints: [] (expected at least one https URL)");
        }
    }

    /** One whose client certificate, if there is one, is a user's. */
    public UpstreamSpec(
            List<URI> endpoints,
            @Nullable String caBundle,
            @Nullable String tlsServerName,
            @Nullable String clientCertificate,
            @Nullable String clientKey,
            @Nullable String bearerToken,
            @Nullable URI proxy,
            boolean isVerified) {
        this(endpoints, caBundle, tlsServerName, clientCertificate, clientKey, bearerToken, proxy, isVerified, null);
    }

    /** One whose servers are verified. */
    public UpstreamSpec(
            List<URI> endpoints,
            @Nullable String caBundle,
            @Nullable String tlsServerName,
            @Nullable String clientCertificate,
            @Nullable String clientKey,
            @Nullable String bearerToken,
            @Nullable URI proxy) {
        this(endpoints, caBundle, tlsServerName, clientCertificate, clientKey, bearerToken, proxy, true);
    }

    /** One without a proxy. */
    public UpstreamSpec(
            List<URI> endpoints,
            @Nullable String caBundle,
            @Nullable String tlsServerName,
            @Nullable String clientCertificate,
            @Nullable String clientKey,
            @Nullable String bearerToken) {
        this(endpoints, caBundle, tlsServerName, clientCertificate, clientKey, bearerToken, null);
    }

    /** One whose credential is the client certificate, or that has none. */
    public UpstreamSpec(
            List<URI> endpoints,
            @Nullable String caBundle,
            @Nullable String tlsServerName,
            @Nullable String clientCertificate,
            @Nullable String clientKey) {
        this(endpoints, caBundle, tlsServerName, clientCertificate, clientKey, null);
    }

    /** The servers, whatever the credential. */
    public Servers servers() {
        return new Servers(endpoints, caBundle, tlsServerName, proxy);
    }

    /** The same as a front proxy whose own requests name a user. */
    public UpstreamSpec asFrontProxy(String user) {
        return new UpstreamSpec(
                endpoints, caBundle, tlsServerName, clientCertificate, clientKey, bearerToken, proxy, isVerified, user);
    }

    /** Whether every request of this side carries this side's own credential, and no other. */
    boolean hasCredential() {
        return bearerToken != null || clientCertificate != null;
    }

    /** Omits the private key and the token. */
    @Override
    public String toString() {
        return "UpstreamSpec[endpoints=" + endpoints + ", tlsServerName=" + tlsServerName + ", proxy=" + proxy + "]";
    }
}
