package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * What a comparison knows is a moment old. That is good enough to report; but a key that is given away because its holder was
 * not heard of yet has two holders. So what decides a write is read from the store of the hosted cluster.
 */
/**
 * Which keys objects of hosted clusters have now.
 *
 * <p>Threads: any virtual one; calls block for the store.
 */
final class StoredKeys {
    private static final int NOT_FOUND = 404;
    private static final Set<Integer> NO_OBJECT = Set.of(400, 405);
    private static final GroupVersionResource DEFINITIONS =
            new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

    private final Informers informers;
    private final Function<ClusterName, ClusterEntry> lookup;

    /** Whether an object has a key. */
    sealed interface Holding {
        /** It has, or its key cannot be rendered, so that it may have. */
        record Holds(String uid) implements Holding {}

        /** It is gone, or has other keys. */
        record Left() implements Holding {}

        /** It cannot be read now. */
        record Unknown(String problem) implements Holding {}
    }

    StoredKeys(Informers informers, Function<ClusterName, ClusterEntry> lookup) {
        this.informers = informers;
        this.lookup = lookup;
    }

    /** The keys of an object in the version of the rule, with what is looked up as it is stored now. */
    Set<KeyHash> of(Exclusion rule, ObjectKey claimant, JsonNode object)
            throws NotRenderedException, CallFailure, InterruptedException {
        List<ObjectKey> references = rule.rule().references(claimant, object);
        List<Optional<JsonNode>> found = new ArrayList<>(references.size());
        for (int i = 0; i < references.size(); i++) {
            found.add(find(rule.spec().lookups().get(i).resource(), references.get(i)));
        }
        return rule.rule().render(claimant, object, references, (i, _) -> orNull(found.get(i)));
    }

    private static @Nullable JsonNode orNull(Optional<JsonNode> found) {
        return found.orElse(null);
    }

    /** Whether an object of a hosted cluster has a key; one of another cluster has none. */
    Holding holding(Exclusion rule, KeyHash key, ObjectKey holder) throws InterruptedException {
        if (!rule.selects(holder.cluster())) {
            return new Holding.Left();
        }
        switch (lookup.apply(holder.cluster())) {
            case ClusterEntry.Attached _, ClusterEntry.NotRegistered _ -> {
                return new Holding.Left();
            }
            case ClusterEntry.Hosted _, ClusterEntry.Opening _, ClusterEntry.Unready _ -> {}
        }
        try {
            Optional<JsonNode> object = read(rule.spec().resource(), holder);
            if (object.isEmpty()) {
                return new Holding.Left();
            }
            String uid = object.get().at("/metadata/uid").asString("");
            return has(rule, key, holder, object.get()) ? new Holding.Holds(uid) : new Holding.Left();
        } catch (CallFailure failure) {
            return new Holding.Unknown(failure.message());
        }
    }

    private boolean has(Exclusion rule, KeyHash key, ObjectKey holder, JsonNode object)
            throws CallFailure, InterruptedException {
        try {
            return of(rule, holder, object).contains(key);
        } catch (NotRenderedException notKnown) {
            return true; // it keeps what it had
        }
    }

    /** One of a resource without namespaces is found from any. */
    private Optional<JsonNode> find(GroupVersionResource resource, ObjectKey key)
            throws CallFailure, InterruptedException {
        Optional<JsonNode> there = read(resource, key);
        return there.isEmpty() && !key.namespace().isEmpty()
                ? read(resource, new ObjectKey(key.cluster(), "", key.name()))
                : there;
    }

    private Optional<JsonNode> read(GroupVersionResource resource, ObjectKey key)
            throws CallFailure, InterruptedException {
        if (!ObjectPath.isPlain(key)) {
            return Optional.empty();
        }
        Optional<JsonNode> there = readOnce(resource, key);
        return there.isEmpty() ? readOnce(resource, key) : there;
    }

    /** The first answer may be of before the cluster has taken over its definitions, for which it waits then. */
    private Optional<JsonNode> readOnce(GroupVersionResource resource, ObjectKey key)
            throws CallFailure, InterruptedException {
        try (ClusterCalls.Document document = informers.calls(key.cluster()).ask(ObjectPath.of(resource, key))) {
            return Optional.of(Json.read(document.read()));
        } catch (CallFailure failure) {
            if (NO_OBJECT.contains(failure.code())
                    || (failure.code() == NOT_FOUND && isKnownToBeNone(resource, key.cluster()))) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** A version may not be served for a while, and objects have their keys all the same. */
    private boolean isKnownToBeNone(GroupVersionResource resource, ClusterName cluster)
            throws CallFailure, InterruptedException {
        ClusterCalls calls = informers.calls(cluster);
        try (ClusterCalls.Document document = calls.ask(resource.path() + "?limit=1")) {
            document.read();
            return true;
        } catch (CallFailure failure) {
            if (failure.code() != NOT_FOUND) {
                throw failure;
            }
        }
        ObjectKey definition =
                new ObjectKey(cluster, "", resource.groupResource().toString());
        try (ClusterCalls.Document document = calls.ask(ObjectPath.of(DEFINITIONS, definition))) {
            document.read();
            throw new CallFailure(
                    0, "NotServed", "the cluster serves no " + ConflictText.resource(resource) + ", which is defined");
        } catch (CallFailure failure) {
            if (failure.code() != NOT_FOUND) {
                throw failure;
            }
            return true; // it was deleted with its objects
        }
    }
}
