package io.fairlead.hosted.cluster;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiService;
import io.fairlead.hosted.ApiServices;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.Holding;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.controller.StoredResources;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.runtime.CustomTypes.Custom;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.GroupVersionResource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one cluster serves: the built-in kinds, fixed, and those of its CRDs and of its APIServices, which change.
 *
 * <p>A change costs the same however many CRDs there are: single resources are found in tables that are changed in
 * place, and the complete list is built when it is next read.
 *
 * <p>Threads: any reads. Changes come from one thread at a time; they and the calls of observers hold this object's
 * monitor.
 */
final class TypeRegistry implements TypeCatalog, StoredResources, ApiServices {
    private final List<ServedResource> builtIn;
    private final Map<String, Definition> definitions = new TreeMap<>();
    private final List<Consumer<TypeEvent>> observers = new ArrayList<>();
    /** What definitions serve. */
    private final Map<GroupVersionResource, Custom> custom = new ConcurrentHashMap<>();

    private final Map<String, ServedResource> byPrefix = new ConcurrentHashMap<>();
    private final Map<KindInGroup, ServedResource> byKind = new ConcurrentHashMap<>();
    /** APIServices that name services, by name. */
    private final Map<String, ApiService> services = new TreeMap<>();

    /** What is shown of them, by uid. */
    private Map<String, AggregatedVersion> shown = Map.of();

    private List<ResourceType> virtual = List.of();
    private long revision;
    /** The number of changes. */
    private final AtomicLong version = new AtomicLong();

    private volatile @Nullable Snapshot snapshot;

    /**
     * What a CRD serves.
     *
     * @param held the type for observers
     * @param open whether objects may be created; false while it is being deleted
     * @param resources what is served, one per version
     */
    record Definition(ServedType held, boolean open, List<ServedResource> resources) {}

    private record KindInGroup(String group, String kind) {}

    TypeRegistry(List<ServedResource> builtIn) {
        this.builtIn = List.copyOf(builtIn);
        builtIn.forEach(this::index);
    }

    @Override
    public Snapshot snapshot() {
        Snapshot known = snapshot;
        return known != null && known.version() == version.get() ? known : assembled();
    }

    /** What a definition serves under a path; null if none does. */
    @Nullable
    Custom find(GroupVersionResource resource) {
        return custom.get(resource);
    }

    /** Every stored resource with objects in namespaces, in one of its versions. */
    List<ServedResource> namespaced() {
        return byPrefix.values().stream()
                .filter(resource -> resource.type().namespaced())
                .toList();
    }

    @Override
    public @Nullable ServedResource below(String prefix) {
        return byPrefix.get(prefix);
    }

    @Override
    public @Nullable ServedResource ofKind(String group, String kind) {
        return byKind.get(new KindInGroup(group, kind));
    }

    /** Adds resources that other handlers serve and list in discovery; call before any observer subscribes. */
    synchronized void addVirtual(List<ResourceType> types) {
        virtual = List.copyOf(types);
    }

    /** Replaces all CRDs; call before any observer subscribes. */
    synchronized void start(Map<String, Definition> initial, long atRevision) {
        definitions.putAll(initial);
        initial.values().forEach(this::serve);
        revision = atRevision;
        version.incrementAndGet();
    }

    /** A CRD is new or changed. */
    synchronized void put(Definition definition, long atRevision) {
        Definition before = definitions.put(definition.held().name(), definition);
        serve(definition);
        if (before != null && !before.resources().equals(definition.resources())) {
            before.resources().forEach(resource -> unindex(resource, definition.resources()));
        }
        publish(new TypeEvent.Upserted(definition.held(), atRevision), atRevision);
    }

    /** A CRD is gone. */
    synchronized void remove(String name, long atRevision) {
        Definition definition = definitions.remove(name);
        if (definition != null) {
            definition.resources().forEach(resource -> unindex(resource, List.of()));
            publish(new TypeEvent.Removed(definition.held(), atRevision), atRevision);
        }
    }

    /** Replaces all APIServices that name services; call before any observer subscribes. */
    synchronized void start(List<ApiService> initial) {
        initial.forEach(service -> services.put(service.name(), service));
        version.incrementAndGet();
    }

    /** An APIService that names a service is new or changed. */
    synchronized void put(ApiService service, long atRevision) {
        ApiService before = services.get(service.name());
        if (before != null && !before.uid().equals(service.uid())) {
            removeService(before.name(), atRevision);
        }
        services.put(service.name(), service);
        publish(new TypeEvent.Upserted(held(service), atRevision), atRevision);
    }

    /** An APIService is gone, or names no service any more. */
    synchronized void removeService(String name, long atRevision) {
        ApiService service = services.remove(name);
        if (service != null) {
            publish(new TypeEvent.Removed(held(service), atRevision), atRevision);
        }
    }

    @Override
    public synchronized List<ApiService> all() {
        return List.copyOf(services.values());
    }

    @Override
    public synchronized void show(Map<String, AggregatedVersion> versions) {
        if (!shown.equals(versions)) {
            shown = Map.copyOf(versions);
            version.incrementAndGet();
        }
    }

    /** Whether a CRD's incarnation exists and is not being deleted. */
    synchronized boolean isOpen(String name, String uid) {
        Definition definition = definitions.get(name);
        return definition != null
                && definition.open()
                && definition.held().uid().equals(uid);
    }

    synchronized AutoCloseable observe(Consumer<TypeEvent> observer) {
        observer.accept(new TypeEvent.Complete(held(), revision));
        observers.add(observer);
        return () -> leave(observer);
    }

    private synchronized void leave(Consumer<TypeEvent> observer) {
        observers.remove(observer);
    }

    private void publish(TypeEvent event, long atRevision) {
        revision = atRevision;
        version.incrementAndGet();
        for (Consumer<TypeEvent> observer : observers) {
            observer.accept(event);
        }
    }

    private synchronized Snapshot assembled() {
        Snapshot known = snapshot;
        if (known == null || known.version() != version.get()) {
            List<ResourceType> types = new ArrayList<>();
            builtIn.forEach(resource -> types.add(resource.type()));
            definitions
                    .values()
                    .forEach(definition -> definition.resources().forEach(resource -> types.add(resource.type())));
            List<AggregatedVersion> aggregated = services.values().stream()
                    .map(service -> shown.getOrDefault(service.uid(), AggregatedVersion.unknown(service)))
                    .toList();
            known = new Snapshot(version.get(), types, aggregated);
            snapshot = known;
        }
        return known;
    }

    /**
     * Removes a resource, unless another definition has replaced it; its place passes on to another definition that
     * waits for it.
     */
    private void unindex(ServedResource resource, List<ServedResource> others) {
        ResourceType type = resource.type();
        custom.computeIfPresent(path(type), (_, now) -> now.resource().equals(resource) ? null : now);
        boolean wasShown = byPrefix.remove(resource.prefix(), resource);
        boolean stoodForKind = byKind.remove(kind(type), resource);
        if (wasShown || stoodForKind) {
            others.forEach(this::index);
        }
    }

    private static GroupVersionResource path(ResourceType type) {
        return new GroupVersionResource(type.group(), type.version(), type.plural());
    }

    private static KindInGroup kind(ResourceType type) {
        return new KindInGroup(type.group(), type.kind());
    }

    private void serve(Definition definition) {
        long changedAt = definition.held().revision();
        for (ServedResource resource : definition.resources()) {
            custom.put(path(resource.type()), new Custom(resource, changedAt));
            index(resource);
        }
    }

    private void index(ServedResource resource) {
        ResourceType type = resource.type();
        byPrefix.merge(resource.prefix(), resource, TypeRegistry::first);
        byKind.merge(kind(type), resource, TypeRegistry::first);
    }

    /** Of the versions of one resource, and of kinds that share a storage prefix, the first stays. */
    private static ServedResource first(ServedResource known, ServedResource other) {
        return known;
    }

    private List<ServedType> held() {
        Map<String, List<ResourceType>> byGroup = new TreeMap<>();
        builtIn.forEach(resource -> byGroup.computeIfAbsent(resource.type().group(), group -> new ArrayList<>())
                .add(resource.type()));
        virtual.forEach(type -> byGroup.computeIfAbsent(type.group(), group -> new ArrayList<>())
                .add(type));
        List<ServedType> held = new ArrayList<>();
        byGroup.forEach((group, types) -> held.add(builtInGroup(group, types)));
        definitions.values().forEach(definition -> held.add(definition.held()));
        services.values().forEach(service -> held.add(held(service)));
        return held;
    }

    private static ServedType builtInGroup(String group, List<ResourceType> types) {
        Set<String> versions = new LinkedHashSet<>();
        Set<String> plurals = new LinkedHashSet<>();
        types.forEach(type -> {
            versions.add(type.version());
            plurals.add(type.plural());
        });
        return new ServedType(Holding.BUILT_IN, group, group, group, versions, plurals, null, 0);
    }

    private static ServedType held(ApiService service) {
        GroupVersion version = service.groupVersion();
        return new ServedType(
                Holding.API_SERVICE,
                service.name(),
                service.uid(),
                version.group(),
                Set.of(version.version()),
                Set.of(),
                null,
                service.revision());
    }
}
