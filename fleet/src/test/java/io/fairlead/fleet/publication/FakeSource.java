package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Optional;
import java.util.Set;

/** A source that answers, or does not. */
final class FakeSource implements Source {
    Optional<StepFailure> failure = Optional.empty();
    String caBundle = "ca";
    Set<GroupVersion> stored = Set.of();
    int probes;

    @Override
    public String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target) {
        this.stored = Set.copyOf(stored);
        return caBundle;
    }

    @Override
    public void resume(Publication publication, TargetApi target) {
        // Nothing is served.
    }

    @Override
    public boolean isCurrent(String caBundle) {
        return caBundle.equals(this.caBundle);
    }

    @Override
    public void probe(Publication publication, String address, GroupVersion version, String caBundle)
            throws StepFailure {
        probes++;
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
