package io.fairlead.fleet.publication;

import io.fairlead.fleet.publication.Publication.Backend;
import io.fairlead.model.GroupVersion;
import org.jspecify.annotations.Nullable;

/** Has an endpoint prove that it is the source of a publication. Threads: virtual ones; calls block. */
@FunctionalInterface
interface Probe {
    /**
     * Probes.
     *
     * @param address of the backend
     * @param caBundle PEM certificates, one of which signs that of the endpoint
     * @param prober as which the endpoint is asked; null if it is asked without a credential
     * @throws StepFailure if the certificate is not for the Service, or the answer not the discovery of the version
     */
    void probe(Backend backend, String address, GroupVersion version, String caBundle, Door.@Nullable Prober prober)
            throws StepFailure, InterruptedException;
}
