package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** What serves a published group. Threads: virtual ones; calls block. */
interface Source {
    /**
     * Gets the source ready for what the target will send.
     *
     * @param stored the versions that the target asks for already
     * @return PEM certificates, one of which signs the certificate that the source presents
     * @throws StepFailure if it cannot serve the group now
     */
    String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target)
            throws StepFailure, InterruptedException;

    /**
     * Serves again at once what is registered, after a restart, before anything else is looked at: the target asks for it all
     * the while. If that cannot be, {@link #prepare} says why.
     */
    void resume(Publication publication, TargetApi target) throws InterruptedException;

    /** Whether certificates that {@link #prepare} returned are still those by which the source is verified. */
    boolean isCurrent(String caBundle);

    /**
     * Has an endpoint prove that it is the source: by a certificate for the Service, and an answer for a version.
     *
     * @param address of the backend
     * @param caBundle as {@link #prepare} returned it
     * @throws StepFailure in the words of the aggregation layer if it does not
     */
    void probe(Publication publication, String address, GroupVersion version, String caBundle)
            throws StepFailure, InterruptedException;
}
