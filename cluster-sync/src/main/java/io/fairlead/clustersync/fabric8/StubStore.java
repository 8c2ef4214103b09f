package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fairlead.clustersync.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An informer's store that keeps of each object what it claims to serve and what controls it, and tells every change of that.
 *
 * <p>While a list is under way nothing is told; its end tells everything at once. Telling happens under the store's lock, so
 * that what is kept and what was told are the same whenever the lock is free.
 *
 * @param <T> the object as the informer reads it; handed back as a shell with name, uid and resource version only
 */
final class StubStore<T extends HasMetadata> implements ItemStore<T> {
    private record Stub(
            String name,
            String uid,
            String resourceVersion,
            String controller,
            @Nullable Holder holder) {}

    private final Set<HolderType> types;
    private final Function<T, Optional<Holder>> claims;
    private final Function<T, String> controllers;
    private final Supplier<T> shells;
    private final Consumer<TypeChange> changes;
    private final Map<String, Stub> stubs = new LinkedHashMap<>();
    private boolean listing = true;
    private boolean completed;
    private boolean muted;
    private boolean left;

    /**
     * An empty store.
     *
     * @param controllers the uid of what says what acts on the objects of a type; empty if nothing does
     */
    StubStore(
            Set<HolderType> types,
            Function<T, Optional<Holder>> claims,
            Function<T, String> controllers,
            Supplier<T> shells,
            Consumer<TypeChange> changes) {
        this.types = types;
        this.claims = claims;
        this.controllers = controllers;
        this.shells = shells;
        this.changes = changes;
    }

    /** Everything is read anew; what was told holds until {@link #listed}. */
    synchronized void listing() {
        listing = true;
    }

    /** Everything was read, as of a resource version. */
    synchronized void listed(String resourceVersion) {
        listing = false;
        completed = true;
        tell(new TypeChange.Complete(types, holders(), resourceVersion));
    }

    /** Takes no more objects: fabric8 would read a list to its end for an informer that was stopped. */
    synchronized void leave() {
        left = true;
    }

    /** Tells nothing more once it returns. */
    synchronized void mute() {
        muted = true;
    }

    /** Notes what acts on the objects of the types that something controls now, which was found out after they were put. */
    synchronized void implemented(String controller, String implementation) {
        for (Map.Entry<String, Stub> entry : stubs.entrySet()) {
            Stub stub = entry.getValue();
            Holder holder = stub.holder();
            if (holder != null && stub.controller().equals(controller)) {
                Stub fresh = new Stub(
                        stub.name(),
                        stub.uid(),
                        stub.resourceVersion(),
                        controller,
                        holder.implementedBy(implementation));
                entry.setValue(fresh);
                tellDifference(stub, fresh);
            }
        }
    }

    /** The uids of what controls the objects that are kept now. */
    synchronized Set<String> controllers() {
        Set<String> uids = new HashSet<>();
        stubs.values().forEach(stub -> uids.add(stub.controller()));
        return uids;
    }

    /** What is kept now, unless a list is under way or never ended. */
    synchronized Optional<List<Holder>> recount() {
        return completed && !listing ? Optional.of(holders()) : Optional.empty();
    }

    synchronized boolean isCompleted() {
        return completed;
    }

    @Override
    public String getKey(@Nullable T object) {
        return object == null ? "" : Claims.text(object.getMetadata().getName());
    }

    @Override
    public synchronized @Nullable T put(String key, T object) {
        if (left) {
            throw new CancellationException("the informer was stopped");
        }
        ObjectMeta metadata = object.getMetadata();
        Holder holder = claims.apply(object).orElse(null);
        Stub fresh = holder == null
                ? new Stub(key, Claims.text(metadata.getUid()), Claims.text(metadata.getResourceVersion()), "", null)
                : new Stub(holder.name(), holder.uid(), holder.resourceVersion(), controllers.apply(object), holder);
        Stub old = stubs.put(fresh.name(), fresh);
        tellDifference(old, fresh);
        return old == null ? null : shell(old);
    }

    @Override
    public synchronized @Nullable T remove(String key) {
        Stub old = stubs.remove(key);
        if (old == null) {
            return null;
        }
        tellDeleted(old.holder());
        return shell(old);
    }

    @Override
    public synchronized Stream<String> keySet() {
        return List.copyOf(stubs.keySet()).stream();
    }

    @Override
    public synchronized Stream<T> values() {
        return List.copyOf(stubs.values()).stream().map(this::shell);
    }

    @Override
    public synchronized int size() {
        return stubs.size();
    }

    @Override
    public synchronized @Nullable T get(String key) {
        Stub stub = stubs.get(key);
        return stub == null ? null : shell(stub);
    }

    @Override
    public boolean isFullState() {
        return false;
    }

    private void tellDifference(@Nullable Stub old, Stub fresh) {
        Holder before = old == null ? null : old.holder();
        Holder after = fresh.holder();
        if (before != null && (after == null || after.type() != before.type())) {
            tellDeleted(before);
        }
        if (after != null && !after.equals(before)) {
            tellUnlessListing(new TypeChange.Upserted(after));
        }
    }

    private void tellDeleted(@Nullable Holder holder) {
        if (holder != null) {
            tellUnlessListing(
                    new TypeChange.Deleted(holder.type(), holder.name(), holder.uid(), holder.resourceVersion()));
        }
    }

    private void tellUnlessListing(TypeChange change) {
        if (!listing) {
            tell(change);
        }
    }

    private void tell(TypeChange change) {
        if (!muted) {
            changes.accept(change);
        }
    }

    private List<Holder> holders() {
        List<Holder> holders = new ArrayList<>();
        for (Stub stub : stubs.values()) {
            if (stub.holder() != null) {
                holders.add(stub.holder());
            }
        }
        return holders;
    }

    private T shell(Stub stub) {
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(stub.name());
        metadata.setUid(stub.uid());
        metadata.setResourceVersion(stub.resourceVersion());
        T shell = shells.get();
        shell.setMetadata(metadata);
        return shell;
    }
}
