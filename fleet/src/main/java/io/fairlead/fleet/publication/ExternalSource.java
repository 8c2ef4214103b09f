package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** A server that Fairlead does not run. It is asked without a credential, as its discovery is open to API servers. */
record ExternalSource(Probe probe) implements Source {
    @Override
    public String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target) {
        return publication.caBundle();
    }

    @Override
    public void resume(Publication publication, TargetApi target) {
        // It is no part of Fairlead.
    }

    @Override
    public boolean isCurrent(String caBundle) {
        return true;
    }

    @Override
    public void probe(Publication publication, String address, GroupVersion version, String caBundle)
            throws StepFailure, InterruptedException {
        probe.probe(publication.backend(), address, version, caBundle, null);
    }
}
