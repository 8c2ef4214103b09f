package io.fairlead.hosted;

import io.fairlead.model.GroupVersion;
import org.jspecify.annotations.Nullable;

/**
 * An APIService that names the service of a backend (apiregistration.k8s.io/v1): all requests for its group and version go
 * there.
 *
 * @param name {@code version.group}
 * @param revision the last change of it
 * @param groupPriority {@code groupPriorityMinimum}: discovery lists the group with the highest first
 * @param versionPriority discovery lists the version with the highest first
 * @param namespace of the service
 * @param service its name
 * @param port of the service
 * @param caBundle PEM certificates that must have signed the backend's; null for the system's trust
 * @param isVerified whether the backend's certificate is verified
 */
public record ApiService(
        String name,
        String uid,
        long revision,
        GroupVersion groupVersion,
        int groupPriority,
        int versionPriority,
        String namespace,
        String service,
        int port,
        @Nullable String caBundle,
        boolean isVerified) {
    /** The host name that the backend's certificate must be for. */
    public String serverName() {
        return service + "." + namespace + ".svc";
    }
}
