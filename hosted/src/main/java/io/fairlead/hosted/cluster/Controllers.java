package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.controller.DefinitionController;
import io.fairlead.hosted.controller.GarbageCollector;
import io.fairlead.hosted.controller.LocalApiServices;
import io.fairlead.hosted.controller.NamespaceController;
import io.fairlead.hosted.controller.NamespaceDefaults;
import io.fairlead.hosted.controller.RoleAggregation;
import io.fairlead.hosted.controller.TokenSecrets;
import io.fairlead.hosted.crd.CustomResources;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.storage.RevisionedStore;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * The controllers of a cluster, as they are started.
 *
 * @param owner receives each, to close it with the cluster
 * @param store in which they look
 * @param builtIn the built-in kinds that the cluster serves
 * @param held receives the key of each object with owners that is found stored
 */
record Controllers(
        Consumer<AutoCloseable> owner,
        RevisionedStore store,
        ClusterKeys keys,
        ObjectWriter writer,
        WriteGate gate,
        List<ServedResource> builtIn,
        Consumer<String> held,
        ControlPlane.Shared shared) {
    private static final String DEFINITIONS = "customresourcedefinitions";

    /**
     * Starts them.
     *
     * @param taken what the cluster serves without definitions
     */
    void start(
            CustomResources customResources,
            TypeRegistry types,
            ObjectCache cache,
            List<ResourceType> taken,
            ServiceAccountTokens tokens) {
        ServedResource definitions = find("apiextensions.k8s.io", DEFINITIONS);
        owner.accept(new DefinitionController(
                store,
                shared.log(),
                keys,
                definitions,
                customResources,
                taken,
                writer,
                gate,
                shared.clock(),
                scheduler()));
        startOfNamespaces(types);
        owner.accept(new TokenSecrets(
                store,
                shared.log(),
                writer,
                new TokenSecrets.Resources(find("", "namespaces"), find("", "serviceaccounts"), find("", "secrets")),
                tokens,
                shared.rootCertificates(),
                scheduler()));
        startAggregation(cache);
        GarbageCollector collector = new GarbageCollector(store, shared.log(), keys, writer, types, held, scheduler());
        owner.accept(collector);
        owner.accept(types.observe(event -> collector.typesChanged()));
        builtIn.stream()
                .filter(resource -> resource.type().plural().equals(RemoteServices.PLURAL))
                .findFirst()
                .ifPresent(services -> owner.accept(new LocalApiServices(
                        store,
                        shared.log(),
                        writer,
                        new LocalApiServices.Resources(definitions, services),
                        InitialObjects.versions(taken),
                        shared.clock(),
                        scheduler())));
    }

    private void startOfNamespaces(TypeRegistry types) {
        ServedResource namespaces = find("", "namespaces");
        owner.accept(new NamespaceController(
                store, shared.log(), keys, writer, gate, namespaces, types::namespaced, shared.clock(), scheduler()));
        owner.accept(new NamespaceDefaults(
                store,
                shared.log(),
                keys,
                writer,
                new NamespaceDefaults.Resources(namespaces, find("", "serviceaccounts"), find("", "configmaps")),
                shared.rootCertificates(),
                scheduler()));
    }

    private void startAggregation(ObjectCache cache) {
        ServedResource clusterRoles = find("rbac.authorization.k8s.io", "clusterroles");
        RoleAggregation aggregation = new RoleAggregation(cache, writer, clusterRoles, scheduler());
        owner.accept(aggregation);
        cache.onChange(clusterRoles.groupResource(), aggregation::rolesChanged);
        aggregation.rolesChanged();
    }

    private ScheduledExecutorService scheduler() {
        return shared.scheduler();
    }

    private ServedResource find(String group, String plural) {
        return builtIn.stream()
                .filter(resource -> resource.type().group().equals(group)
                        && resource.type().plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }
}
