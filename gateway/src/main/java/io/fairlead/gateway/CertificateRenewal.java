package io.fairlead.gateway;

import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.gateway.edge.EdgeServer;
import io.fairlead.gateway.listen.TlsMaterial;

/**
 * Replaces the serving certificate and the client CAs while the gateway runs: the operator may have replaced the files,
 * and the self-made certificate may be about to expire. The two are independent, so that a bad certificate does not
 * keep a removed CA trusted.
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

    /** Checks the serving certificate and its key. */
    Look lookAtServing() {
        return use(() -> {
            KeyedCertificate serving = identity.serving();
            return new TlsMaterial(serving.certificate(), serving.key(), inUse.clientCa(), inUse.frontProxyCa());
        });
    }

    /** Checks the CAs of the certificates of clients and front proxies. */
    Look lookAtClientCa() {
        return use(() -> {
            String clientCas = identity.clientCas();
            return new TlsMaterial(
                    inUse.certificateChain(), inUse.privateKey(), clientCas, identity.frontProxyCa(clientCas));
        });
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
