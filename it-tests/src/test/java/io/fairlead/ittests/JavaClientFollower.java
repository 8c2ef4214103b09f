package io.fairlead.ittests;

import com.google.gson.reflect.TypeToken;
import io.fairlead.ittests.Sighting.What;
import io.kubernetes.client.informer.ListerWatcher;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** An informer of the official Java client, with the events of its watches. */
final class JavaClientFollower implements Follower {
    private final Sightings sightings = new Sightings();
    private final SharedInformerFactory factory;
    private final SharedIndexInformer<V1ConfigMap> informer;

    private JavaClientFollower(ApiClient client) {
        factory = new SharedInformerFactory(client);
        informer = factory.sharedIndexInformerFor(new Source(client, sightings), V1ConfigMap.class, 0);
        informer.addEventHandler(new Handler(sightings));
    }

    static JavaClientFollower start(Path kubeconfig) {
        try {
            ApiClient client = Config.fromConfig(kubeconfig.toString());
            client.setReadTimeout(0);
            var follower = new JavaClientFollower(client);
            follower.factory.startAllRegisteredInformers();
            return follower;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "client-java";
    }

    @Override
    public Sightings sightings() {
        return sightings;
    }

    @Override
    public Map<String, Sightings.Version> finish() {
        Map<String, Sightings.Version> held = new TreeMap<>();
        for (V1ConfigMap object : informer.getIndexer().list()) {
            V1ObjectMeta metadata = object.getMetadata();
            held.put(metadata.getName(), new Sightings.Version(metadata.getUid(), metadata.getResourceVersion()));
        }
        close();
        return held;
    }

    @Override
    public void close() {
        factory.stopAllRegisteredInformers();
    }

    private static void add(Sightings sightings, What what, V1ConfigMap object) {
        V1ObjectMeta metadata = object.getMetadata();
        sightings.add(what, metadata.getUid(), metadata.getResourceVersion(), metadata.getName());
    }

    private record Handler(Sightings sightings) implements ResourceEventHandler<V1ConfigMap> {
        @Override
        public void onAdd(V1ConfigMap object) {
            add(sightings, What.ADDED, object);
        }

        /** A new list hands every object to the handlers again, changed or not. */
        @Override
        public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
            boolean changed = !Objects.equals(
                    before.getMetadata().getResourceVersion(),
                    object.getMetadata().getResourceVersion());
            add(sightings, changed ? What.UPDATED : What.UNCHANGED, object);
        }

        @Override
        public void onDelete(V1ConfigMap object, boolean missed) {
            add(sightings, What.DELETED, object);
        }
    }

    private record Source(ApiClient client, Sightings sightings)
            implements ListerWatcher<V1ConfigMap, V1ConfigMapList> {
        @Override
        public V1ConfigMapList list(CallGeneratorParams params) throws ApiException {
            return new CoreV1Api(client)
                    .listNamespacedConfigMap("default")
                    .resourceVersion(params.resourceVersion)
                    .execute();
        }

        @Override
        public Watchable<V1ConfigMap> watch(CallGeneratorParams params) throws ApiException {
            Watch<V1ConfigMap> watch = Watch.createWatch(
                    client,
                    new CoreV1Api(client)
                            .listNamespacedConfigMap("default")
                            .watch(true)
                            .allowWatchBookmarks(true)
                            .resourceVersion(params.resourceVersion)
                            .timeoutSeconds(params.timeoutSeconds)
                            .buildCall(null),
                    TypeToken.getParameterized(Watch.Response.class, V1ConfigMap.class)
                            .getType());
            return new Events(watch, sightings);
        }
    }

    private record Events(Watch<V1ConfigMap> watch, Sightings sightings) implements Watchable<V1ConfigMap> {
        @Override
        public boolean hasNext() {
            return watch.hasNext();
        }

        @Override
        public Watch.Response<V1ConfigMap> next() {
            Watch.Response<V1ConfigMap> event = watch.next();
            switch (event.type) {
                case "ADDED" -> add(sightings, What.WATCHED_ADDED, event.object);
                case "MODIFIED" -> add(sightings, What.WATCHED_MODIFIED, event.object);
                case "DELETED" -> add(sightings, What.WATCHED_DELETED, event.object);
                default -> {}
            }
            return event;
        }

        @Override
        public Iterator<Watch.Response<V1ConfigMap>> iterator() {
            return this;
        }

        @Override
        public void close() throws IOException {
            watch.close();
        }
    }
}
