package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A kind of object for an informer.
 *
 * @param controllers the uid of the owner that names the controller of a type; empty if none
 */
record Subject<T extends HasMetadata>(
        Class<T> type,
        String path,
        Set<HolderType> holderTypes,
        Function<T, Optional<Holder>> claims,
        Function<T, String> controllers,
        Supplier<T> shells) {
    /**
     * All objects of the kind on the server now. Blocks.
     *
     * @throws KubernetesClientException if the server does not answer with a list
     */
    List<T> list(KubernetesClient client, int pageSize) {
        List<T> objects = new ArrayList<>();
        String token = null;
        do {
            KubernetesResourceList<T> page = client.resources(type)
                    .list(new ListOptionsBuilder()
                            .withLimit((long) pageSize)
                            .withContinue(token)
                            .build());
            objects.addAll(page.getItems());
            token = page.getMetadata().getContinue();
        } while (token != null && !token.isEmpty());
        return objects;
    }

    /** A new informer, not started, with this page size; it gives up at the first failed list. */
    SharedIndexInformer<T> informer(KubernetesClient client, int pageSize, ItemStore<T> into) {
        SharedIndexInformer<T> made =
                client.resources(type).withLimit((long) pageSize).runnableInformer(0);
        made.removeNamespaceIndex();
        made.itemStore(into);
        made.exceptionHandler((started, problem) -> false);
        return made;
    }

    /** For how long no watch was established. */
    Finding unwatched(Duration time) {
        return Finding.no("WatchLost", "no watch of " + path + " stands for " + time.toSeconds() + " s");
    }
}
