package io.fairlead.hosted.serve;

import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads of stored objects, alone and in lists, each of one revision.
 *
 * <p>Threads: any; waits for revisions that are not there yet.
 */
final class ObjectLists {
    private static final int PAGE = 500;

    private final RevisionedStore store;
    private final HostedSettings settings;

    ObjectLists(RevisionedStore store, HostedSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /**
     * Part of a list.
     *
     * @param revision of which it is
     * @param items the objects
     * @param next where the rest begins, or null if this is all
     * @param remaining how many more there are, or null if that is not known
     */
    record Page(
            long revision,
            List<ObjectNode> items,
            @Nullable ContinueToken next,
            @Nullable Long remaining) {}

    /** One object. */
    ObjectNode get(Addressed place, ReadVersion version) {
        Entry entry = store.get(place.key(), revisionOf(version));
        if (entry == null) {
            throw Refusals.notFound(place.resource().groupResource(), place.name());
        }
        return place.resource().read(entry);
    }

    /**
     * The objects of a selection.
     *
     * @param limit at most so many, 0 for all
     * @param token where to go on, or null for the beginning
     */
    Page list(Addressed place, Selection selection, ReadVersion version, int limit, @Nullable ContinueToken token) {
        ServedResource resource = place.resource();
        long revision = token != null && token.revision() != ContinueToken.INCONSISTENT
                ? token.revision()
                : revisionOf(version);
        String onlyKey = selection.onlyKey(place);
        if (onlyKey != null) {
            return only(resource, selection, store.get(onlyKey, revision), revision);
        }
        return page(resource, selection, revision, limit, token == null ? null : selection.prefix() + token.after());
    }

    /** The list object of a page. */
    static ObjectNode listObject(ServedResource resource, Page page) {
        ObjectNode list = Json.object();
        list.put("kind", resource.type().listKind());
        list.put("apiVersion", resource.type().groupVersion().apiVersion());
        ObjectNode metadata = list.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(page.revision()));
        ContinueToken next = page.next();
        if (next == null && resource.type().custom()) {
            // Upstream's lists of what it knows as maps always have the member.
            metadata.put("continue", "");
        }
        if (next != null) {
            metadata.put("continue", next.text());
            if (page.remaining() != null) {
                metadata.put("remainingItemCount", page.remaining());
            }
        }
        ArrayNode items = list.putArray("items");
        for (ObjectNode item : page.items()) {
            items.add(resource.codec().itemsNameKind() ? item : item.without(List.of("apiVersion", "kind")));
        }
        return list;
    }

    private static Page only(ServedResource resource, Selection selection, @Nullable Entry entry, long revision) {
        List<ObjectNode> items = new ArrayList<>(1);
        if (entry != null) {
            ObjectNode object = resource.read(entry);
            if (selection.matches(object)) {
                items.add(object);
            }
        }
        return new Page(revision, items, null, null);
    }

    private Page page(
            ServedResource resource, Selection selection, long revision, int limit, @Nullable String startAfter) {
        List<ObjectNode> items = new ArrayList<>();
        String after = startAfter;
        int batch = limit == 0 ? 0 : Math.max(limit, selection.isEverything() ? 0 : PAGE) + 1;
        while (true) {
            List<Entry> entries = store.list(selection.prefix(), after, batch, revision);
            for (Entry entry : entries) {
                if (limit > 0 && items.size() == limit) {
                    return full(selection, revision, items, Objects.requireNonNull(after));
                }
                after = entry.key();
                ObjectNode object = resource.read(entry);
                if (selection.matches(object)) {
                    items.add(object);
                }
            }
            if (batch == 0 || entries.size() < batch) {
                return new Page(revision, items, null, null);
            }
        }
    }

    private Page full(Selection selection, long revision, List<ObjectNode> items, String last) {
        ContinueToken next =
                new ContinueToken(revision, last.substring(selection.prefix().length()));
        Long remaining = selection.isEverything() ? store.count(selection.prefix(), last, revision) : null;
        return new Page(revision, items, next, remaining);
    }

    /** The revision to read at; waits for one that is to come. */
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
