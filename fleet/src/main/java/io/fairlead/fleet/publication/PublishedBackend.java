package io.fairlead.fleet.publication;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.Locale;
import java.util.Set;

/**
 * Fairlead as the backend of one Service in a target cluster, whose aggregation layer proxies requests for API groups to
 * it. Immutable.
 *
 * @param serverName the name for which that layer asks in its TLS handshakes (SNI), in lower case: {@code
 *     service.namespace.svc}. Services of several targets can have the same name; they share one certificate
 * @param target the cluster whose aggregation layer it is
 * @param source the hosted cluster that answers
 * @param groupVersions what is published of it; nothing else is served there
 * @param trusted how the target names its users
 * @param certificateChain the serving certificate for the server name, and its chain, PEM
 * @param privateKey its PKCS #8 key, PEM; in no text of this
 */
public record PublishedBackend(
        String serverName,
        ClusterName target,
        ClusterName source,
        Set<GroupVersion> groupVersions,
        RequestHeaders trusted,
        String certificateChain,
        String privateKey) {
    /** @throws IllegalArgumentException for a server name with capitals, or the core group, which is never aggregated */
    public PublishedBackend {
        if (serverName.isEmpty() || !serverName.equals(serverName.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "server name: \"" + serverName + "\" (expected service.namespace.svc in lower case)");
        }
        groupVersions = Set.copyOf(groupVersions);
        for (GroupVersion groupVersion : groupVersions) {
            if (groupVersion.group().isEmpty()) {
                throw new IllegalArgumentException(
                        "group/version: \"" + groupVersion + "\" (expected one of a named group)");
            }
        }
    }

    /** The same, with what else is published. */
    public PublishedBackend withGroupVersions(Set<GroupVersion> published) {
        return new PublishedBackend(serverName, target, source, published, trusted, certificateChain, privateKey);
    }

    /** The same, for a front proxy that names its users in another way. */
    public PublishedBackend withTrusted(RequestHeaders other) {
        return new PublishedBackend(serverName, target, source, groupVersions, other, certificateChain, privateKey);
    }

    /** The same, with another certificate. */
    PublishedBackend withCertificate(String chain, String key) {
        return new PublishedBackend(serverName, target, source, groupVersions, trusted, chain, key);
    }

    /** Omits the private key. */
    @Override
    public String toString() {
        return "PublishedBackend[serverName=" + serverName + ", target=" + target + ", source=" + source
                + ", groupVersions=" + groupVersions + "]";
    }
}
