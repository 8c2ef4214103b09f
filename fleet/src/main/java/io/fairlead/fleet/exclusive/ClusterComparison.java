package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.informers.ObjectListener;
import io.fairlead.fleet.informers.Subscription;
import io.fairlead.fleet.informers.WatchedObjects;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.ObjectClaims.Incarnation;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The objects of one rule in one cluster: renders their keys, again when an object changes that they look up.
 *
 * <p>Threads: those of informers; one lock, under which expressions are evaluated and nothing is waited for.
 */
final class ClusterComparison implements AutoCloseable {
    private static final Finding BEGINS = Finding.unknown("NotListedYet", "its objects are not listed yet");

    /** Of an object that does not say when it was made: it comes after all others. */
    private static final Instant NEVER = Instant.ofEpochSecond(Integer.MAX_VALUE);

    private final ClusterName cluster;
    private final RuleSpec spec;
    private final KeyRule rule;
    private final KeyHoldings holdings;
    private final KeptObjects kept;
    private final Observer observer;
    private volatile List<Followed> followed = List.of();
    private final Object lock = new Object();

    /** Objects of one resource; those that claim keys come last. */
    private record Followed(GroupVersionResource resource, Subscription subscription) {
        boolean isServed() {
            return !subscription.state().reason().equals("NotFound");
        }
    }

    /** Counts the lists; guarded by the lock. */
    private int list;

    /**
     * What was there when it began is known. What came later is reserved, whether or not there is room for it. Written by one
     * thread.
     */
    private volatile boolean isListed;

    /** Told of the objects that are compared. Must not wait. */
    interface Observer {
        /** Claims may have changed. */
        void changed();

        /** An object is as it is. */
        void seen(ObjectKey key, JsonNode object);

        /** An object is gone. */
        void removed(ObjectKey key);

        /** What the kind of the objects is called. */
        void kind(String kind);
    }

    ClusterComparison(
            ClusterName cluster,
            RuleSpec spec,
            KeyRule rule,
            KeyHoldings holdings,
            KeptObjects kept,
            Observer observer) {
        this.cluster = cluster;
        this.spec = spec;
        this.rule = rule;
        this.holdings = holdings;
        this.kept = kept;
        this.observer = observer;
    }

    /** Follows the objects; those that are looked up first. */
    void start(Informers informers) {
        List<Followed> begun = new ArrayList<>();
        for (int i = 0; i < spec.lookups().size(); i++) {
            begun.add(follow(spec.lookups().get(i).resource(), new LookedUpListener(i), informers));
        }
        begun.add(follow(spec.resource(), new ClaimantListener(), informers));
        followed = List.copyOf(begun);
    }

    private Followed follow(GroupVersionResource resource, ObjectListener listener, Informers informers) {
        return new Followed(resource, informers.follow(new WatchedObjects(cluster, resource), listener));
    }

    /** Whether all objects are followed. */
    Finding state() {
        List<Followed> all = followed;
        if (all.isEmpty()) {
            return BEGINS;
        }
        return all.stream()
                .filter(each -> each.subscription().state().status() != Finding.Status.TRUE)
                .findFirst()
                .map(ClusterComparison::problem)
                .orElseGet(() -> Finding.yes("Observing", "its objects are compared"));
    }

    private static Finding problem(Followed each) {
        Finding state = each.subscription().state();
        return each.isServed()
                ? new Finding(
                        state.status(), state.reason(), ConflictText.resource(each.resource()) + ": " + state.message())
                : Finding.no(
                        "NotServed",
                        "the cluster serves no " + ConflictText.resource(each.resource())
                                + " (expected group, version and plural name as 'kubectl api-resources' shows them)");
    }

    /** Whether the cluster says that it has no objects of the resource. */
    boolean isWithoutObjects() {
        List<Followed> all = followed;
        return !all.isEmpty() && !all.getLast().isServed();
    }

    /** Whether the objects that were there when it began are known; their changes are once they are followed. */
    boolean isListed() {
        return isListed;
    }

    /** Follows no more; what was claimed stays until it is forgotten. */
    @Override
    public void close() {
        followed.forEach(each -> each.subscription().close());
        synchronized (lock) {
            kept.clear();
        }
    }

    /** The objects that claim keys. */
    private final class ClaimantListener implements ObjectListener {
        @Override
        public void listing() {
            synchronized (lock) {
                list++;
            }
        }

        @Override
        public void seen(JsonNode object) {
            Incarnation incarnation = incarnation(object);
            synchronized (lock) {
                render(incarnation, object);
            }
            observer.seen(incarnation.key(), object);
        }

        @Override
        public void removed(JsonNode object) {
            ObjectKey key = incarnation(object).key();
            synchronized (lock) {
                kept.drop(key);
                holdings.removed(key);
            }
            observer.removed(key);
        }

        @Override
        public void listed(String resourceVersion) {
            synchronized (lock) {
                holdings.listed(cluster, list);
                kept.retain(holdings::has);
            }
            isListed = isListed || !holdings.isFull();
        }

        @Override
        public void flush(String kind, ClusterCalls calls) {
            observer.kind(kind);
            observer.changed();
        }
    }

    /** The objects of a look-up. */
    private final class LookedUpListener implements ObjectListener {
        private final int lookup;

        LookedUpListener(int lookup) {
            this.lookup = lookup;
        }

        @Override
        public void listing() {
            synchronized (lock) {
                kept.listing(lookup);
            }
        }

        @Override
        public void seen(JsonNode object) {
            ObjectKey key = incarnation(object).key();
            boolean isChanged;
            synchronized (lock) {
                isChanged = kept.lookedUp(lookup, key, rule.projected(lookup, object));
            }
            if (isChanged) {
                renderThoseThatReferTo(key);
            }
        }

        @Override
        public void removed(JsonNode object) {
            ObjectKey key = incarnation(object).key();
            synchronized (lock) {
                kept.gone(lookup, key);
            }
            renderThoseThatReferTo(key);
        }

        @Override
        public void listed(String resourceVersion) {
            List<ObjectKey> gone;
            synchronized (lock) {
                gone = kept.listed(lookup);
            }
            gone.forEach(this::renderThoseThatReferTo);
        }

        @Override
        public void flush(String kind, ClusterCalls calls) {
            observer.changed();
        }

        /** One at a time: there may be many, and others want the lock. */
        private void renderThoseThatReferTo(ObjectKey key) {
            List<KeptObjects.Claimant> referring;
            synchronized (lock) {
                referring = kept.referringTo(lookup, key);
            }
            for (KeptObjects.Claimant claimant : referring) {
                synchronized (lock) {
                    if (kept.isCurrent(claimant)) {
                        claims(claimant.object(), claimant.projection(), claimant.references());
                    }
                }
            }
        }
    }

    /** Under the lock. */
    private void render(Incarnation object, JsonNode state) {
        List<ObjectKey> references = List.of();
        if (!spec.lookups().isEmpty()) {
            try {
                references = rule.references(object.key(), state);
                kept.keep(object, rule.projected(state), references);
            } catch (NotRenderedException unknown) {
                kept.drop(object.key());
                holdings.notRendered(object, unknown.problem(), list);
                return;
            }
        }
        claims(object, state, references);
    }

    private void claims(Incarnation object, JsonNode state, List<ObjectKey> references) {
        try {
            holdings.claims(object, rule.render(object.key(), state, references, kept::find), list);
        } catch (NotRenderedException unknown) {
            holdings.notRendered(object, unknown.problem(), list);
        }
    }

    private Incarnation incarnation(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new Incarnation(
                new ObjectKey(
                        cluster,
                        metadata.path("namespace").asString(""),
                        metadata.path("name").asString("")),
                metadata.path("uid").asString(""),
                created(metadata.path("creationTimestamp").asString("")));
    }

    private static Instant created(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            return NEVER;
        }
    }
}
