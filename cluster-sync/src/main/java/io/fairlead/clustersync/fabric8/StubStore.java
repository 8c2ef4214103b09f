package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.CachedObject;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.index.history.InformerEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
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
 * An informer's store that keeps each object's claims and owner, and reports their changes.
 *
 * <p>Keys include the incarnation and the resource version, since fabric8 passes only the key of a deletion: that of an
 * earlier incarnation does not affect a later one. At most one incarnation of a name is kept. Between lists, changes are
 * judged by the order of their resource versions ({@link InformerHistory}).
 *
 * <pre>
 * FIRST_LIST - the list is complete -> FOLLOWING    told as a whole
 * FOLLOWING  - another list begins -> NEXT_LIST
 * NEXT_LIST  - the list is complete -> FOLLOWING    told as a whole
 * </pre>
 *
 * <p>During a list nothing is reported; its end reports everything at once. Reports happen under the store's lock, so
 * that kept and reported state are the same whenever the lock is free.
 *
 * @param <T> the object as the informer reads it; returned as a shell with name, uid and resource version only
 */
final class StubStore<T extends HasMetadata> implements ItemStore<T> {
    private enum State {
        FIRST_LIST,
        FOLLOWING,
        NEXT_LIST
    }

    private final Set<HolderType> types;
    private final int objectsMax;
    private final KeptTypes.OfStore kept;
    private final Function<T, Optional<Holder>> claims;
    private final Function<T, String> controllers;
    private final Supplier<T> shells;
    private final Consumer<TypeChange> changes;
    private final InformerHistory history;
    /** By name. */
    private final Map<String, Stub> stubs = new LinkedHashMap<>();

    private Consumer<TooMuchException> excess = _ -> {};
    private State state = State.FIRST_LIST;
    private boolean muted;
    private boolean left;

    /**
     * An empty store.
     *
     * @param objectsMax more than may be indexed, whatever of it is no claim: a list or a watch that goes on is given up
     * @param kept what it may keep of them; closed when nothing of the store is used any more
     * @param controllers the uid of what says what acts on the objects of a type; empty if nothing does
     * @param travels receives each change that is behind one before it, under the store's lock
     */
    StubStore(
            Set<HolderType> types,
            int objectsMax,
            KeptTypes.OfStore kept,
            Function<T, Optional<Holder>> claims,
            Function<T, String> controllers,
            Supplier<T> shells,
            Consumer<InformerDecision> travels,
            Consumer<TypeChange> changes) {
        this.types = types;
        this.objectsMax = objectsMax;
        this.kept = kept;
        this.claims = claims;
        this.controllers = controllers;
        this.shells = shells;
        this.history = new InformerHistory(travels);
        this.changes = changes;
    }

    /**
     * Sets the informer that fills this store, by its {@code lastSyncResourceVersion}.
     *
     * @param whenTooMuch receives, once and under the store's lock, why its watch cannot be followed any more
     */
    synchronized void fedBy(
            Supplier<@Nullable String> lastSyncResourceVersion, Consumer<TooMuchException> whenTooMuch) {
        this.excess = whenTooMuch;
        history.follow(lastSyncResourceVersion);
    }

    /** A new list begins; the reported state holds until {@link #listed}. */
    synchronized void listing() {
        state = isCompleted() ? State.NEXT_LIST : State.FIRST_LIST;
        history.listing();
    }

    /** The list is complete, at a resource version. */
    synchronized void listed(String resourceVersion) {
        state = State.FOLLOWING;
        history.listed(resourceVersion);
        tell(new TypeChange.Complete(types, holders(), resourceVersion));
    }

    /**
     * Accepts no more objects. fabric8 would read a list to its end for a stopped informer, so a list is aborted by an
     * exception; a late change is dropped instead, since nothing catches an exception for one: it would end as a trace
     * on standard error.
     */
    synchronized void leave() {
        left = true;
        history.follow(() -> null);
    }

    /** Reports nothing more once it returns, and nothing of it is counted: another store takes its place. */
    synchronized void mute() {
        muted = true;
        kept.close();
    }

    /** Records the controller of the types that an owner has now, if it became known after they were put. */
    synchronized void implemented(String controller, String implementation) {
        for (Map.Entry<String, Stub> entry : stubs.entrySet()) {
            Stub stub = entry.getValue();
            Holder holder = stub.holder();
            if (holder != null && stub.controller().equals(controller)) {
                Stub fresh = stub.with(holder.implementedBy(implementation));
                entry.setValue(fresh);
                tellDifference(stub, fresh);
            }
        }
    }

    /** The uids of the owners of the kept objects. */
    synchronized Set<String> controllers() {
        Set<String> uids = new HashSet<>();
        stubs.values().forEach(stub -> uids.add(stub.controller()));
        return uids;
    }

    /** The kept objects, unless a list is in progress or never ended. */
    synchronized Optional<List<Holder>> recount() {
        return state == State.FOLLOWING ? Optional.of(holders()) : Optional.empty();
    }

    synchronized boolean isCompleted() {
        return state != State.FIRST_LIST;
    }

    /** The newest received resource version; empty while there is none. */
    synchronized String heardOf() {
        look();
        return history.highWater();
    }

    /** Reports a bookmark, if one was received. */
    synchronized void look() {
        if (!isListing() && !left) {
            history.bookmark().ifPresent(version -> tell(new TypeChange.Bookmark(types, version)));
        }
    }

    /** Where a watch has to begin that the informer asks for. */
    synchronized String resume(String asked) {
        look();
        return history.resume(asked);
    }

    /** Compares a census with the kept objects. */
    synchronized Census.Verdict compare(Census census) {
        String heardOf = heardOf();
        boolean lacksNothing = !heardOf.isEmpty() && !ResourceVersion.isNewer(census.resourceVersion(), heardOf);
        boolean same = true;
        for (Stub stub : stubs.values()) {
            if (ResourceVersion.isNewer(stub.resourceVersion(), census.resourceVersion())) {
                continue;
            }
            String counted = census.versions().get(stub.key());
            if (counted == null ? lacksNothing : ResourceVersion.isNewer(stub.resourceVersion(), counted)) {
                return Census.Verdict.OTHER_HISTORY;
            }
            same &= stub.resourceVersion().equals(counted);
        }
        return same && (lacksNothing || keepsAllOf(census)) ? Census.Verdict.SAME : Census.Verdict.BEHIND;
    }

    /** Reports that a census is of another history than the kept objects. */
    synchronized void replaced(String why, Census census) {
        look();
        String shared = "";
        for (Stub stub : stubs.values()) {
            boolean same = stub.resourceVersion().equals(census.versions().get(stub.key()));
            shared = same && !ResourceVersion.isNewer(shared, stub.resourceVersion()) ? stub.resourceVersion() : shared;
        }
        tell(new TypeChange.Replaced(why, shared));
    }

    private boolean keepsAllOf(Census census) {
        return census.versions().keySet().stream().allMatch(key -> {
            Stub stub = stubs.get(nameOf(key));
            return stub != null
                    && (stub.key().equals(key)
                            || ResourceVersion.isNewer(stub.resourceVersion(), census.resourceVersion()));
        });
    }

    @Override
    public String getKey(@Nullable T object) {
        return object == null
                ? ""
                : Stub.keyOf(
                                Claims.text(object.getMetadata().getName()),
                                Claims.text(object.getMetadata().getUid()))
                        + "/" + Claims.text(object.getMetadata().getResourceVersion());
    }

    @Override
    public synchronized @Nullable T put(String key, T object) {
        if (left && isListing()) {
            throw new CancellationException("the informer was stopped");
        }
        ObjectMeta metadata = object.getMetadata();
        String name = Claims.text(metadata.getName());
        String resourceVersion = Claims.text(metadata.getResourceVersion());
        if (left) {
            return get(key);
        }
        if (stubs.size() >= objectsMax && !stubs.containsKey(name)) {
            return giveUp(key, "the cluster has more than " + objectsMax + " objects of the types " + types);
        }
        Holder holder = claims.apply(object).orElse(null);
        Stub fresh = holder == null
                ? Stub.of(name, Claims.text(metadata.getUid()), resourceVersion, "", null)
                : Stub.of(holder.name(), holder.uid(), holder.resourceVersion(), controllers.apply(object), holder);
        Stub old = stubs.get(fresh.name());
        if (!isApplied(WatchEventType.ADDED, fresh.uid(), resourceVersion, old == null ? null : old.beside(fresh))) {
            return get(key);
        }
        Optional<String> tooMuch = kept.add(fresh.bytes() - (old == null ? 0 : old.bytes()));
        if (tooMuch.isPresent()) {
            return giveUp(key, "the cluster has too many types: " + tooMuch.get());
        }
        stubs.put(fresh.name(), fresh);
        tellDifference(old, fresh);
        return old == null ? null : shell(old);
    }

    /** Ends a list by an exception, and a watch by leaving it. */
    private @Nullable T giveUp(String key, String why) {
        TooMuchException tooMuch = TooMuchException.toKeep(why);
        if (isListing()) {
            throw tooMuch;
        }
        leave();
        excess.accept(tooMuch);
        return get(key);
    }

    @Override
    public synchronized @Nullable T remove(String key) {
        Stub old = find(key);
        String resourceVersion =
                key.substring(old == null ? key.lastIndexOf('/') + 1 : old.key().length() + 1);
        if (left
                || !isApplied(
                        WatchEventType.DELETED,
                        old == null ? "" : old.uid(),
                        resourceVersion,
                        old == null ? null : old.beside(null))) {
            return null;
        }
        if (old != null) {
            stubs.remove(old.name());
            kept.add(-old.bytes());
            tellDeleted(old.holder(), resourceVersion);
        }
        return old == null ? null : shell(old);
    }

    @Override
    public synchronized Stream<String> keySet() {
        return stubs.values().stream().map(this::shell).map(this::getKey).toList().stream();
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
        Stub stub = find(key);
        return stub == null ? null : shell(stub);
    }

    @Override
    public boolean isFullState() {
        return false;
    }

    private @Nullable Stub find(String key) {
        Stub stub = stubs.get(nameOf(key));
        return stub == null || !stub.isOf(key) ? null : stub;
    }

    private boolean isListing() {
        return state != State.FOLLOWING;
    }

    private static String nameOf(String key) {
        return key.substring(0, Math.max(key.indexOf('/'), 0));
    }

    /** Whether a change is to be applied; whatever a list has is. */
    private boolean isApplied(WatchEventType type, String uid, String resourceVersion, @Nullable CachedObject cached) {
        if (isListing()) {
            return true;
        }
        look();
        return history.isApplied(new InformerEvent(type, uid, resourceVersion), cached);
    }

    private void tellDifference(@Nullable Stub old, Stub fresh) {
        Holder before = old == null ? null : old.holder();
        Holder after = fresh.holder();
        if (before != null && (after == null || after.type() != before.type())) {
            tellDeleted(before, "");
        }
        if (after != null && !after.equals(before)) {
            tellUnlessListing(new TypeChange.Upserted(after));
        }
    }

    /** @param at the version of the deletion, which may be older than that of what is deleted; empty if there is none */
    private void tellDeleted(@Nullable Holder holder, String at) {
        if (holder != null) {
            String newest = ResourceVersion.isNewer(at, holder.resourceVersion()) ? at : holder.resourceVersion();
            tellUnlessListing(new TypeChange.Deleted(holder.type(), holder.name(), holder.uid(), newest));
        }
    }

    private void tellUnlessListing(TypeChange change) {
        if (!isListing()) {
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
