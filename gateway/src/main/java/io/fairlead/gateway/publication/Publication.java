package io.fairlead.gateway.publication;

import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.gateway.frontproxy.FrontProxy;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.UserInfo;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Groups of a hosted cluster, the source, that the aggregation layer of another cluster, the target, serves. Immutable. */
public final class Publication {
    private final PublishedBackend backend;
    private final FrontProxy frontProxy;

    /** @throws IllegalArgumentException if its CA cannot be read, or a header of it cannot be one */
    Publication(PublishedBackend backend) {
        this.backend = backend;
        this.frontProxy = new FrontProxy(backend.trusted());
    }

    /** The cluster whose front proxy sends the requests. */
    public ClusterName target() {
        return backend.target();
    }

    /** The hosted cluster that answers them. */
    public ClusterName source() {
        return backend.source();
    }

    /** What is published; never of the core group. */
    public Set<GroupVersion> groupVersions() {
        return backend.groupVersions();
    }

    /** The user that the front proxy names, whose headers are removed; null if it names none. */
    public @Nullable UserInfo takeUser(MutableFields headers) {
        return frontProxy.takeUser(headers);
    }

    /** Whether the target's CA signed a chain, valid now and for clients. */
    boolean isSigned(List<X509Certificate> chain) {
        return frontProxy.isSigned(chain);
    }

    /** Whether a front proxy may have the name in a certificate. */
    boolean isAllowed(X509Certificate leaf) {
        return frontProxy.isAllowed(leaf);
    }
}
