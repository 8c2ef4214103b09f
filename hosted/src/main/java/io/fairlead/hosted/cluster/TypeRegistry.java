package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.TypeCatalog;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.serve.ServedResource;
import io.fairlead.model.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resources that one cluster serves: the built-in kinds, fixed, and those of its CRDs, which come and go.
 *
 * <p>Threads: readers see one immutable table or another. Changes come from the log's sequencer, one at a time; they and
 * the observers are told under this object's monitor.
 */
final class TypeRegistry implements TypeCatalog {
    private final List<ServedResource> builtIn;
    private final Map<String, Definition> definitions = new TreeMap<>();
    private final List<Consumer<TypeEvent>> observers = new ArrayList<>();
    private List<ResourceType> virtual = List.of();
    private volatile Table table;
    private long revision;

    /**
     * What a CRD serves.
     *
     * @param held what it holds, for observers
     * @param open whether new objects may come; false while it is being deleted
     * @param resources what is served, one per version
     */
    record Definition(ServedType held, boolean open, List<ServedResource> resources) {}

    /** All resources at one time. */
    private record Table(Snapshot snapshot, Map<GroupVersionResource, ServedResource> resources) {}

    TypeRegistry(List<ServedResource> builtIn) {
        this.builtIn = List.copyOf(builtIn);
        this.table = table(0);
    }

    @Override
    public Snapshot snapshot() {
        return table.snapshot();
    }

    @Nullable
    ServedResource find(GroupVersionResource resource) {
        return table.resources().get(resource);
    }

    /** Every stored resource in one of its versions. */
    List<ServedResource> resources() {
        Map<String, ServedResource> byPrefix = new LinkedHashMap<>();
        table.resources().values().forEach(resource -> byPrefix.putIfAbsent(resource.prefix(), resource));
        return List.copyOf(byPrefix.values());
    }

    /** Names resources that others serve and show in discovery themselves; before anybody observes. */
    synchronized void addVirtual(List<ResourceType> types) {
        virtual = List.copyOf(types);
    }

    /** Replaces what is known of all CRDs; before anybody observes. */
    synchronized void start(Map<String, Definition> initial, long atRevision) {
        definitions.putAll(initial);
        revision = atRevision;
        table = table(atRevision);
    }

    /** A CRD is new or changed. */
    synchronized void put(Definition definition, long atRevision) {
        definitions.put(definition.held().name(), definition);
        publish(new TypeEvent.Upserted(definition.held(), atRevision), atRevision);
    }

    /** A CRD is gone. */
    synchronized void remove(String name, long atRevision) {
        Definition definition = definitions.remove(name);
        if (definition != null) {
            publish(new TypeEvent.Removed(definition.held(), atRevision), atRevision);
        }
    }

    /** Whether a CRD's incarnation is there and not being deleted. */
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
        table = table(atRevision);
        observers.forEach(observer -> observer.accept(event));
    }

    private Table table(long version) {
        Map<GroupVersionResource, ServedResource> resources = new LinkedHashMap<>();
        List<ResourceType> types = new ArrayList<>();
        add(builtIn, resources, types);
        definitions.values().forEach(definition -> add(definition.resources(), resources, types));
        return new Table(new Snapshot(version, types), resources);
    }

    private static void add(
            Collection<ServedResource> served,
            Map<GroupVersionResource, ServedResource> resources,
            List<ResourceType> types) {
        for (ServedResource resource : served) {
            ResourceType type = resource.type();
            resources.put(new GroupVersionResource(type.group(), type.version(), type.plural()), resource);
            types.add(type);
        }
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
        return held;
    }

    private static ServedType builtInGroup(String group, List<ResourceType> types) {
        Set<String> versions = new LinkedHashSet<>();
        Set<String> plurals = new LinkedHashSet<>();
        types.forEach(type -> {
            versions.add(type.version());
            plurals.add(type.plural());
        });
        return new ServedType(true, group, group, group, versions, plurals, null);
    }
}
