package io.fairlead.hosted.runtime;

import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.GroupVersionResource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What CustomResourceDefinitions serve in one cluster as it is shown now. Any thread. */
public interface CustomTypes {
    /** The resource behind a path, with the revision of its definition; null if no definition serves it. */
    @Nullable
    Custom find(GroupVersionResource resource);

    /**
     * Waits until all changes of definitions that were committed before are shown, and the cluster's observers told of them.
     *
     * @return whether they are before the time is over
     */
    boolean awaitDefinitions(Duration timeout) throws InterruptedException;

    /**
     * A custom resource in one version.
     *
     * @param revision of the newest change of its definition
     */
    record Custom(ServedResource resource, long revision) {}
}
