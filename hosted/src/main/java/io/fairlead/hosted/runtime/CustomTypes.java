package io.fairlead.hosted.runtime;

import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.GroupVersionResource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What CustomResourceDefinitions serve in one cluster now. Any thread. */
public interface CustomTypes {
    /** The resource of a path, with the revision of its definition; null if no definition serves it. */
    @Nullable
    Custom find(GroupVersionResource resource);

    /**
     * Waits until all definitions committed before are served and reported to the cluster's observers.
     *
     * @return whether that happened in time
     */
    boolean awaitDefinitions(Duration timeout) throws InterruptedException;

    /**
     * A custom resource in one version.
     *
     * @param revision of the newest change of its definition
     */
    record Custom(ServedResource resource, long revision) {}
}
