package io.fairlead.hosted.objects;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.CommitHook;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ObjectWriter.Updated;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Commits single objects on the condition that what they replace is still stored.
 *
 * @param objectBytesMax how large an object may become, managers included
 * @param beforeCommit asked about each new object just before it is stored
 */
record Commits(
        RevisionedStore store, int objectBytesMax, Function<AdmissionHook.Review, CommitHook.Pending> beforeCommit) {
    /** What the mark of a deletion adds to an object, which has room always. */
    private static final int MARK_BYTES_MAX = 64 * 1024;

    /** The new object as stored, or null if its name is taken. */
    @Nullable
    ObjectNode add(ServedResource resource, ObjectNode judged, AdmissionHook.Review review) {
        ObjectNode object = resource.codec().storable(judged);
        String key = resource.key(review.namespace(), Meta.name(object)); // which its kind may have made up
        if (!review.dryRun()) {
            SystemMetadata.requireNoRevision(object);
        }
        byte[] value = resource.codec().toStore(object);
        requireRoom(value.length, 0);
        ObjectNode answer = answer(resource, object, value); // before anything is stored: it may fail
        try (CommitHook.Pending pending = beforeCommit.apply(review)) {
            if (review.dryRun()) {
                return store.get(key) == null ? answer : null;
            }
            return switch (resource.guard().commit(store, new Write.Put(key, value, 0))) {
                case CommitResult.Committed committed -> {
                    pending.committed();
                    yield withRevision(answer, committed.revision());
                }
                case CommitResult.Mismatch ignored -> null;
            };
        }
    }

    /** The changed object as stored, the stored one if nothing changes, or null if that has changed meanwhile. */
    @Nullable
    Updated put(Caller caller, ServedResource resource, Entry current, ObjectNode stored, ObjectNode judged) {
        ObjectNode object = resource.codec().storable(judged);
        byte[] value = resource.codec().toStore(object);
        requireRoom(value.length, current.value().length);
        boolean ofDeletion = Meta.isTerminating(stored)
                && Meta.finalizers(object).size() < Meta.finalizers(stored).size()
                && value.length <= current.value().length;
        return put(caller, resource, current, stored, object, value, ofDeletion);
    }

    /** As {@link #put}, of an object whose deletion begins: the mark has room always. */
    @Nullable
    Updated mark(Caller caller, ServedResource resource, Entry current, ObjectNode stored, ObjectNode judged) {
        ObjectNode object = resource.codec().storable(judged);
        byte[] value = resource.codec().toStore(object);
        requireRoom(value.length - MARK_BYTES_MAX, current.value().length);
        return put(caller, resource, current, stored, object, value, !Meta.isTerminating(stored));
    }

    /** @param ofDeletion whether a deletion begins or advances by it */
    private @Nullable Updated put(
            Caller caller,
            ServedResource resource,
            Entry current,
            ObjectNode stored,
            ObjectNode object,
            byte[] value,
            boolean ofDeletion) {
        if (Arrays.equals(value, current.value()) || Json.read(value).equals(Json.read(current.value()))) {
            return new Updated(stored, false);
        }
        ObjectNode answer = answer(resource, object, value);
        if (caller.dryRun()) {
            return new Updated(answer, false);
        }
        Write.Put write = new Write.Put(current.key(), value, current.revision(), ofDeletion);
        return switch (resource.guard().commit(store, write)) {
            case CommitResult.Committed committed -> new Updated(withRevision(answer, committed.revision()), false);
            case CommitResult.Mismatch ignored -> null;
        };
    }

    boolean delete(Caller caller, ServedResource resource, Entry current) {
        Write.Delete write = new Write.Delete(current.key(), current.revision());
        return caller.dryRun() || resource.guard().commit(store, write) instanceof CommitResult.Committed;
    }

    /** An object that was stored under a larger limit may still shrink. */
    private void requireRoom(int bytes, int bytesBefore) {
        if (bytes > objectBytesMax && bytes > bytesBefore) {
            throw Refusals.tooLarge(objectBytesMax);
        }
    }

    /** The object as it is read from now on: without what its stored version cannot hold. */
    private static ObjectNode answer(ServedResource resource, ObjectNode object, byte[] value) {
        if (!resource.isStoredOtherwise()) {
            return object;
        }
        ObjectNode answer = resource.codec().judgedFromStore(value);
        String revision = Meta.resourceVersion(object);
        if (!revision.isEmpty()) {
            Meta.of(answer).put("resourceVersion", revision);
        }
        return answer;
    }

    private static ObjectNode withRevision(ObjectNode object, long revision) {
        Meta.of(object).put("resourceVersion", Long.toString(revision));
        return object;
    }
}
