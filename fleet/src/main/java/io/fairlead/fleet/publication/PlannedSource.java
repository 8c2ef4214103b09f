package io.fairlead.fleet.publication;

import io.fairlead.model.GroupVersion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hosted cluster as a plan sees it: all that can be known before it is served to the target is looked at.
 *
 * @param check whether the source is as it must be, for all targets of the plan
 */
record PlannedSource(HostedSource source, Check check, String caBundle) implements Source {
    /** What was found of a source, which is looked at once for a plan. Thread-safe. */
    static final class Check {
        private final Publication publication;
        private boolean isLooked;
        private @Nullable StepFailure problem;

        Check(Publication publication) {
            this.publication = publication;
        }

        private synchronized void require(HostedSource source) throws StepFailure, InterruptedException {
            if (!isLooked) {
                try {
                    source.requireSource(publication, true);
                } catch (StepFailure failure) {
                    problem = failure;
                }
                isLooked = true;
            }
            if (problem != null) {
                throw problem;
            }
        }
    }

    @Override
    public String prepare(Publication publication, Set<GroupVersion> stored, TargetApi target)
            throws StepFailure, InterruptedException {
        check.require(source);
        source.requireTarget(publication, target);
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
