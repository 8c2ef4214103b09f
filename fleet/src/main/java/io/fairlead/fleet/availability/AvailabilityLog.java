package io.fairlead.fleet.availability;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The transitions of each cluster's condition Ready. They are stored in a ConfigMap for each cluster, which its
 * {@code Cluster} owns, so that they survive a restart and go with the cluster.
 *
 * <p>Threads: the fleet's controller observes, which blocks; {@link #of} is for any.
 */
public final class AvailabilityLog {
    private static final Logger LOG = LoggerFactory.getLogger(AvailabilityLog.class);
    private static final String KEY = "transitions";

    private final RootApi api;
    private final InstantSource clock;
    private final Repetitions failures = new Repetitions();

    /** Written only by the controller. */
    private final Map<ClusterName, Observed> clusters = new ConcurrentHashMap<>();

    /**
     * What is known of a cluster.
     *
     * @param uid of its {@code Cluster}: another one of the same name is another cluster
     */
    private record Observed(String uid, TransitionRing ring) {}

    public AvailabilityLog(RootApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * A cluster is observed. If what earlier processes stored cannot be read, nothing is recorded until it can; if a
     * transition cannot be stored, the next one stores both. Failures are logged.
     *
     * @param cluster its {@code Cluster} object
     * @param ready its condition Ready
     */
    public void observed(ObjectNode cluster, Finding ready) {
        try {
            observe(cluster, ready);
        } catch (RuntimeException failure) {
            failures.next(name(cluster))
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("cluster", name(cluster))
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("The transitions of a cluster cannot be read or stored"));
        }
    }

    /** A cluster is no longer registered. */
    public void forget(ClusterName name) {
        clusters.remove(name);
    }

    /** The last transitions of a cluster, oldest first; none if it was not observed yet. */
    public List<Transition> of(ClusterName name) {
        Observed observed = clusters.get(name);
        return observed == null ? List.of() : observed.ring().transitions();
    }

    private void observe(ObjectNode cluster, Finding ready) {
        String uid = uid(cluster);
        Observed known = clusters.get(name(cluster));
        boolean isFirstSight = known == null || !known.uid().equals(uid);
        TransitionRing before = known == null || isFirstSight ? stored(cluster) : known.ring();
        TransitionRing after = before.with(ready, clock.instant(), isFirstSight);
        if (isFirstSight || !after.equals(before)) {
            clusters.put(name(cluster), new Observed(uid, after));
            // At a start most clusters are unknown for a moment: the next transition stores both.
            if (!isFirstSight || ready.status() != Finding.Status.UNKNOWN) {
                store(cluster, after);
            }
        }
    }

    /** What earlier processes stored; nothing of another cluster that had the same name. */
    private TransitionRing stored(ObjectNode cluster) {
        return api.get(RootApi.CONFIG_MAPS, RootApi.SYSTEM_NAMESPACE, nameOfMap(cluster))
                .filter(found ->
                        found.at("/metadata/ownerReferences/0/uid").asString("").equals(uid(cluster)))
                .map(found -> TransitionRing.of(found.path("data").path(KEY).asString("")))
                .orElse(TransitionRing.EMPTY);
    }

    private void store(ObjectNode cluster, TransitionRing ring) {
        ObjectNode document = document(cluster, ring);
        if (api.get(RootApi.CONFIG_MAPS, RootApi.SYSTEM_NAMESPACE, nameOfMap(cluster))
                .isPresent()) {
            api.update(RootApi.CONFIG_MAPS, RootApi.SYSTEM_NAMESPACE, document, "");
        } else {
            api.createIfAbsent(RootApi.CONFIG_MAPS, RootApi.SYSTEM_NAMESPACE, document);
        }
    }

    private static ObjectNode document(ObjectNode cluster, TransitionRing ring) {
        ObjectNode document = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        document.putObject("metadata")
                .put("name", nameOfMap(cluster))
                .put("namespace", RootApi.SYSTEM_NAMESPACE)
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", FairleadKind.API_VERSION)
                .put("kind", "Cluster")
                .put("name", name(cluster).value())
                .put("uid", uid(cluster));
        document.putObject("data").put(KEY, ring.text());
        return document;
    }

    private static String nameOfMap(ObjectNode cluster) {
        return "cluster-transitions-" + name(cluster);
    }

    private static ClusterName name(ObjectNode cluster) {
        return new ClusterName(cluster.path("metadata").path("name").asString(""));
    }

    private static String uid(ObjectNode cluster) {
        return cluster.path("metadata").path("uid").asString("");
    }
}
