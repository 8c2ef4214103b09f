package io.fairlead.gateway.select;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The domain below which each cluster has a host name, {@code ID.NAME}.
 *
 * <p>The domain is compared without regard to case (RFC 9110 section 4.2.3) and to a final dot; the id is compared raw, as
 * everywhere.
 */
public final class BaseDomain {
    private final String suffix;
    private final String ownHost;

    /**
     * A domain.
     *
     * @param name in lower case
     * @param ownHost the gateway's own host name, which selects no cluster, even below the domain
     */
    public BaseDomain(String name, String ownHost) {
        this.suffix = "." + name;
        this.ownHost = ownHost.toLowerCase(Locale.ROOT);
    }

    /**
     * The cluster of a host, or null for a host that is not below the domain.
     *
     * @param host a host name or address, with or without a port
     * @throws StatusException with 400 for a host below the domain that is not an id
     */
    @Nullable
    ClusterName clusterOf(String host) {
        String name = withoutPort(host);
        if (!isBelow(name)) {
            return null;
        }
        String id = name.substring(0, name.length() - suffix.length()).toLowerCase(Locale.ROOT);
        if (!ClusterName.isValid(id)) {
            throw new StatusException(Status.badRequest("Host header: \"" + name + "\" (expected " + form()
                    + ", where ID is a cluster's id: a DNS-1123 label)"));
        }
        return new ClusterName(id);
    }

    /** The pattern of clusters' hosts. */
    String form() {
        return "ID" + suffix;
    }

    /** Whether a host name without a port is a cluster's. */
    boolean isBelow(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        return lowerCase.endsWith(suffix) && !lowerCase.equals(ownHost);
    }

    /** A host without its port and the final dot of an absolute name. */
    static String withoutPort(String host) {
        int colon = host.endsWith("]") ? -1 : host.lastIndexOf(':');
        String name = colon < 0 ? host : host.substring(0, colon);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
