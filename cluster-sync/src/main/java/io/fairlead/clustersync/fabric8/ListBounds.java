package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/** Observes where an informer's lists begin and end; single changes go to its store directly. */
final class ListBounds<T> implements ResourceEventHandler<T> {
    private final Runnable begins;
    private final Consumer<String> ends;

    /** @param ends receives the resource version of a complete list */
    ListBounds(Runnable begins, Consumer<String> ends) {
        this.begins = begins;
        this.ends = ends;
    }

    @Override
    public void onBeforeList(String lastSyncResourceVersion) {
        begins.run();
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
        ends.accept(resourceVersion);
    }

    @Override
    public void onAdd(T object) {}

    @Override
    public void onUpdate(T old, T object) {}

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {}
}
