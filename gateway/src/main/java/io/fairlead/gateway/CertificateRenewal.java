package io.fairlead.gateway;

import io.fairlead.gateway.edge.EdgeServer;
import io.fairlead.gateway.listen.TlsMaterial;

/**
 * Has the front end use new serving certificates and client CAs: files of the operator may have been replaced, and the
 * self-made certificate may near its end.
 *
 * <p>Threads: one at a time.
 */
final class CertificateRenewal {
    private final EdgeServer server;
    private final ServingIdentity identity;
    private TlsMaterial inUse;

    CertificateRenewal(EdgeServer server, ServingIdentity identity, TlsMaterial inUse) {
        this.server = server;
        this.identity = identity;
        this.inUse = inUse;
    }

    Look look() {
        try {
            TlsMaterial now = identity.current();
            if (now.equals(inUse)) {
                return new Look.Same();
            }
            server.reload(now);
            inUse = now;
            return new Look.Used();
        } catch (StartFailure | IllegalArgumentException unusable) {
            return new Look.Refused(String.valueOf(unusable.getMessage()));
        }
    }
}
