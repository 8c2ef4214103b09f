package io.fairlead.hosted.verbs;

import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.ListBody;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.Work;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads of stored objects, alone and in lists, each of one revision.
 *
 * <p>Threads: any; waits for revisions that do not exist yet.
 */
final class ObjectLists {
    private final RevisionedStore store;
    private final HostedSettings settings;

    ObjectLists(RevisionedStore store, HostedSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /** One object. */
    ObjectNode get(Addressed place, ReadVersion version, Work work) {
        long revision = revisionOf(version);
        Entry entry = work.toRead(place.resource().codec(), () -> store.get(place.key(), revision));
        if (entry == null) {
            throw Refusals.notFound(place.resource().groupResource(), place.name());
        }
        return place.resource().read(entry);
    }

    /**
     * The list of a selection, not begun yet.
     *
     * @param limit the most objects, 0 for all
     * @param revision the revision to read
     * @param token where to continue, or null for the beginning
     * @param hold its memory; owned by the list from here on
     */
    ListStream list(
            Addressed place,
            Selection selection,
            int limit,
            long revision,
            @Nullable ContinueToken token,
            ListBody body,
            AnswerHold hold) {
        return new ListStream(
                store, place.resource(), selection, range(place, selection, token), revision, limit, body, hold);
    }

    /** What the same list reads. */
    SnapshotReader reader(
            Addressed place, Selection selection, long revision, @Nullable ContinueToken token, AnswerHold hold) {
        return new SnapshotReader(
                store,
                range(place, selection, token),
                revision,
                hold,
                place.resource().codec());
    }

    private static SnapshotReader.Range range(Addressed place, Selection selection, @Nullable ContinueToken token) {
        return new SnapshotReader.Range(
                selection.prefix(),
                selection.onlyKey(place),
                token == null ? null : selection.prefix() + token.after());
    }

    /** The revision that a list reads at; waits for a future one. */
    long revisionOf(ReadVersion version, @Nullable ContinueToken token) {
        if (token == null || token.isOfTheNewest()) {
            return revisionOf(version);
        }
        long newest = store.revision();
        if (token.revision() > newest) {
            throw Refusals.tooLargeResourceVersion(token.revision(), newest); // no list that was begun is of the future
        }
        return token.revision();
    }

    /** The revision to read at; waits for a future one. */
    long revisionOf(ReadVersion version) {
        return switch (version) {
            case ReadVersion.Newest ignored -> store.revision();
            case ReadVersion.NotOlderThan(long revision) -> await(revision);
            case ReadVersion.Exact(long revision) -> {
                await(revision);
                if (revision < store.compactedRevision()) {
                    throw Refusals.expired("The resourceVersion for the provided list is too old.");
                }
                yield revision;
            }
        };
    }

    private long await(long wanted) {
        long current = store.revision();
        if (current >= wanted) {
            return current;
        }
        try {
            long deadline = System.nanoTime() + settings.futureRevisionWait().toNanos();
            while (current < wanted && deadline - System.nanoTime() > 0) {
                current = store.awaitRevisionAbove(current, Duration.ofNanos(deadline - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (current < wanted) {
            throw Refusals.tooLargeResourceVersion(wanted, current);
        }
        return current;
    }
}
