package io.fairlead.gateway;

import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.gateway.edge.EdgeServer;
import io.fairlead.gateway.listen.TlsMaterial;

/**
 * Has the front end use new serving certificates and client CAs: files of the operator may have been replaced, and the
 * self-made certificate may near its end. Each of the two counts for itself, so that a CA that was removed is not trusted any
 * longer because a certificate cannot be used.
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

    /** Looks at the serving certificate and its key. */
    Look lookAtServing() {
        return use(() -> {
            KeyedCertificate serving = identity.serving();
            return new TlsMaterial(serving.certificate(), serving.key(), inUse.clientCa());
        });
    }

    /** Looks at the CAs of client certificates. */
    Look lookAtClientCa() {
        return use(() -> new TlsMaterial(inUse.certificateChain(), inUse.privateKey(), identity.clientCas()));
    }

    private interface Reading {
        TlsMaterial get() throws StartFailure;
    }

    private Look use(Reading reading) {
        try {
            TlsMaterial now = reading.get();
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
