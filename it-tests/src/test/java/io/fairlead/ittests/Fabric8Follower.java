package io.fairlead.ittests;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fairlead.ittests.Sighting.What;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** An informer of fabric8's client, which asks for WebSockets first or is told not to. It tells its handlers of changes alone. */
final class Fabric8Follower implements Follower {
    private final String name;
    private final Sightings sightings = new Sightings();
    private final KubernetesClient client;
    private final SharedIndexInformer<ConfigMap> informer;

    private Fabric8Follower(String name, KubernetesClient client) {
        this.name = name;
        this.client = client;
        informer = client.configMaps().inNamespace("default").runnableInformer(0);
        informer.addEventHandler(new Handler(sightings));
    }

    /** Starts it with its default settings, but for whether it asks for WebSockets: by default it does. */
    static Fabric8Follower start(Path kubeconfig, boolean webSockets) {
        Config config = config(kubeconfig);
        config.setOnlyHttpWatches(!webSockets);
        var follower = new Fabric8Follower(
                webSockets ? "fabric8 with WebSockets" : "fabric8",
                new KubernetesClientBuilder().withConfig(config).build());
        var _ = follower.informer.start();
        return follower;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Sightings sightings() {
        return sightings;
    }

    @Override
    public Map<String, Sightings.Version> finish() {
        Map<String, Sightings.Version> held = new TreeMap<>();
        for (ConfigMap object : informer.getStore().list()) {
            ObjectMeta metadata = object.getMetadata();
            held.put(metadata.getName(), new Sightings.Version(metadata.getUid(), metadata.getResourceVersion()));
        }
        close();
        return held;
    }

    @Override
    public void close() {
        informer.stop();
        client.close();
    }

    private static Config config(Path kubeconfig) {
        try {
            return Config.fromKubeconfig(Files.readString(kubeconfig));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Handler(Sightings sightings) implements ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap object) {
            add(What.ADDED, object);
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap object) {
            add(What.UPDATED, object);
        }

        @Override
        public void onDelete(ConfigMap object, boolean missed) {
            add(What.DELETED, object);
        }

        private void add(What what, ConfigMap object) {
            ObjectMeta metadata = object.getMetadata();
            sightings.add(what, metadata.getUid(), metadata.getResourceVersion(), metadata.getName());
        }
    }
}
