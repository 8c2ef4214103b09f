package io.fairlead.hosted.controller;

import io.fairlead.hosted.objects.ServedResource;
import org.jspecify.annotations.Nullable;

/** What a cluster stores, each resource in one of its versions. Threads: any. */
public interface StoredResources {
    /** The resource whose objects stand below a prefix, or null if there is none. */
    @Nullable
    ServedResource below(String prefix);

    /** The resource of a kind, or null if there is none. */
    @Nullable
    ServedResource ofKind(String group, String kind);
}
