package io.fairlead.fleet.publication;

import io.fairlead.credentials.Pem;
import java.security.PublicKey;
import java.util.List;
import java.util.Set;

/**
 * How the aggregation layer of a cluster names the users of its requests: the contents of the ConfigMap {@code
 * extension-apiserver-authentication} of its namespace {@code kube-system} (Kubernetes' documentation of
 * authentication, "Authenticating proxy"). Immutable.
 *
 * @param clientCa the CAs that sign the front proxy's client certificate, PEM
 * @param allowedNames the common names that such a certificate may have; empty for any, or none
 * @param usernameHeaders the headers that name the user; the first that is not empty decides
 * @param uidHeaders the headers with the user's uid; the first that is not empty decides
 * @param groupHeaders the headers with the user's groups, one for each value
 * @param extraHeaderPrefixes what the names of headers with further attributes begin with
 */
public record RequestHeaders(
        String clientCa,
        List<String> allowedNames,
        List<String> usernameHeaders,
        List<String> uidHeaders,
        List<String> groupHeaders,
        List<String> extraHeaderPrefixes) {
    public RequestHeaders {
        allowedNames = List.copyOf(allowedNames);
        usernameHeaders = List.copyOf(usernameHeaders);
        uidHeaders = List.copyOf(uidHeaders);
        groupHeaders = List.copyOf(groupHeaders);
        extraHeaderPrefixes = List.copyOf(extraHeaderPrefixes);
    }

    /** The public keys of the CAs; none if they cannot be read. */
    Set<PublicKey> caKeys() {
        try {
            return Pem.publicKeys("requestheader-client-ca-file", clientCa);
        } catch (IllegalArgumentException unreadable) {
            return Set.of();
        }
    }
}
