package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Set;

/** A hosted cluster as a plan sees it: all that can be known before it is served to the target is looked at. */
record PlannedSource(HostedSource source, String caBundle) implements Source {
    @Override
    public String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target)
            throws StepFailure, InterruptedException {
        source.require(publication, target);
        return caBundle;
    }

    @Override
    public void resume(Publication publication, TargetApi target) {
        // A plan serves nothing.
    }

    @Override
    public boolean isCurrent(String caBundle) {
        return true;
    }

    @Override
    public void probe(Publication publication, String address, GroupVersion version, String caBundle) {
        // It answers to the name of the backend only once it is served.
    }
}
