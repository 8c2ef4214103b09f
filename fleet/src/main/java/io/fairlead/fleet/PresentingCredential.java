package io.fairlead.fleet;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.Subject;
import io.fairlead.net.UpstreamSpec;

/** What Fairlead's credential in a cluster must be, by how callers are presented there. */
final class PresentingCredential {
    private PresentingCredential() {}

    /**
     * The servers with a credential that presents callers in this way.
     *
     * @param source of the credential, for people
     * @throws IllegalArgumentException if the credential is none that can, naming its source and never its content
     */
    static UpstreamSpec of(IdentityMode mode, UpstreamSpec servers, String source) {
        return switch (mode) {
            case IMPERSONATE -> servers;
            case PASSTHROUGH -> withToken(servers, source);
            case REQUEST_HEADER -> asFrontProxy(servers, source);
        };
    }

    /** API servers look at certificates first: on connections with one every caller would be Fairlead. */
    private static UpstreamSpec withToken(UpstreamSpec servers, String source) {
        if (servers.bearerToken() == null || servers.clientCertificate() != null) {
            throw new IllegalArgumentException(
                    source + ": a client certificate (expected a token and nothing else with identity "
                            + IdentityMode.PASSTHROUGH
                            + ": API servers would take callers on its connections for the holder of the certificate)");
        }
        return servers;
    }

    /** To kube-apiserver the certificate of a front proxy is no user, so that Fairlead's own requests name a user as well. */
    private static UpstreamSpec asFrontProxy(UpstreamSpec servers, String source) {
        String certificate = servers.clientCertificate();
        if (certificate == null || servers.bearerToken() != null) {
            throw new IllegalArgumentException(source
                    + ": a token (expected a client certificate with its key and nothing else with identity "
                    + IdentityMode.REQUEST_HEADER + ", one that the API servers take for that of a front proxy)");
        }
        String name =
                Subject.of(Pem.certificates(source, certificate).getFirst()).commonName();
        if (name.isBlank() || !name.strip().equals(name) || name.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException(source + ": a client certificate without a usable common name (expected"
                    + " one of visible ASCII characters with identity " + IdentityMode.REQUEST_HEADER
                    + ", by which Fairlead names itself to the API servers)");
        }
        return servers.asFrontProxy(name);
    }
}
