package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ListBody;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/*
 * Problem: a list's metadata comes first, with where the next page begins and how many objects remain; in protobuf the
 * length of all items comes first as well. None of these is known before the last item is read. What fits into one page
 * of the store is encoded once, and the list is whole. Of a longer list the first page is kept, and if there is a limit
 * or the form needs sizes, the rest is surveyed: read, and decoded only where needed to find matches or lengths. Then
 * it is read again, at the same revision, and encoded piece by piece. If that revision is compacted in between, the
 * list is aborted.
 */
/**
 * The body of one list, produced while it is read; its memory does not depend on the length of the list.
 *
 * <p>Threads: one reader; closing from any thread releases what it holds.
 */
final class ListStream implements ApiResponse.Frames {
    private final RevisionedStore store;
    private final ServedResource resource;
    private final Selection selection;
    private final long revision;
    private final int limit;
    private final ListBody body;
    private final AnswerHold hold;
    private final SnapshotReader reader;
    private final Pieces pieces = new Pieces();

    private byte @Nullable [] first;
    /** The last key of a list that ends before its resource does. */
    private @Nullable String last;

    private boolean empty = true;
    private int found;
    private int handedOut;
    private boolean over;

    /**
     * A list that has not begun.
     *
     * @param limit the most objects, 0 for all
     */
    ListStream(
            RevisionedStore store,
            ServedResource resource,
            Selection selection,
            SnapshotReader.Range range,
            long revision,
            int limit,
            ListBody body,
            AnswerHold hold) {
        this.store = store;
        this.resource = resource;
        this.selection = selection;
        this.revision = revision;
        this.limit = limit;
        this.body = body;
        this.hold = hold;
        this.reader = new SnapshotReader(store, range, revision, hold, resource.codec());
    }

    /**
     * Encodes the first piece.
     *
     * @return the whole body if that is all, otherwise null
     * @throws StatusException 429 if it does not fit
     * @throws CompactedException if the revision is compacted
     */
    byte @Nullable [] begin() throws InterruptedException {
        boolean full = take(reader, 0, this::keep);
        if (full) {
            last = reader.after();
        } else if (!reader.isOver() && (limit > 0 || body.sizesFirst())) {
            return surveyed();
        }
        pieces.addFirst(body.begin(head(), pieces.bytes()));
        return full || reader.isOver() ? finished() : begun();
    }

    @Override
    public byte @Nullable [] next() throws InterruptedException {
        byte[] begun = first;
        if (begun != null) {
            first = null;
            return begun;
        }
        if (over) {
            return null;
        }
        try {
            return piece();
        } catch (StatusException | CompactedException | StoreException e) {
            throw new ApiResponse.BrokenOffException("a list cannot be finished: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        hold.close();
    }

    /** Surveys what follows the first page. */
    private byte @Nullable [] surveyed() throws InterruptedException {
        String firstPageEnd = Objects.requireNonNull(reader.after());
        SnapshotReader survey = new SnapshotReader(
                store,
                new SnapshotReader.Range(selection.prefix(), null, firstPageEnd),
                revision,
                hold,
                isCounted() ? resource.codec().asStored() : resource.codec());
        long[] itemBytes = {pieces.bytes()};
        boolean full = false;
        while (!full && !survey.isOver()) {
            // Twice, since what is handed out is a copy.
            full = take(survey, 2L * pieces.bytes(), (object, _) -> {
                if (body.sizesFirst()) {
                    itemBytes[0] += body.item(object, false).length;
                }
                return true;
            });
        }
        if (full) {
            last = survey.after();
        }
        pieces.addFirst(body.begin(head(), itemBytes[0]));
        return firstPageEnd.equals(survey.after()) ? finished() : begun();
    }

    /** Takes the matching entries of the next page; returns whether there are more than the limit. */
    private boolean take(SnapshotReader from, long alsoHeld, Taker taker) throws InterruptedException {
        boolean[] full = {false};
        boolean countedOnly = from != reader && isCounted();
        from.next(0, alsoHeld, (entry, room) -> {
            if (limit > 0 && found == limit) {
                full[0] = true;
                return false;
            }
            if (countedOnly) {
                found++;
                return true;
            }
            ObjectNode object = resource.read(entry);
            if (!selection.matches(object)) {
                return true;
            }
            boolean taken = taker.take(object, room);
            found += taken ? 1 : 0;
            return taken;
        });
        return full[0];
    }

    /** Whether what follows the first page need not be read to be counted. */
    private boolean isCounted() {
        return selection.isEverything() && !body.sizesFirst();
    }

    /** Consumes the objects of a page. */
    private interface Taker {
        /** Whether the kept bytes fit. */
        boolean take(ObjectNode object, SnapshotReader.Room room);
    }

    /** An item that does not fit is encoded again later. */
    private boolean keep(ObjectNode object, SnapshotReader.Room room) {
        byte[] item = body.item(object, empty);
        if (!room.take(item.length)) {
            return false;
        }
        pieces.add(item);
        empty = false;
        return true;
    }

    private byte[] finished() {
        pieces.add(body.end());
        over = true;
        return pieces.take();
    }

    private byte @Nullable [] begun() {
        first = handOut();
        hold.begin();
        return null;
    }

    private byte[] piece() throws InterruptedException {
        boolean full = false;
        while (!over && !full) {
            long kept = pieces.bytes();
            if (kept == 0) {
                reader.next(handedOut, 0, this::encode);
            } else {
                full = !reader.nextAtOnce(handedOut, kept, this::encode);
            }
            over |= reader.isOver();
            full |= pieces.bytes() >= SnapshotReader.PAGE_BYTES;
        }
        if (over) {
            pieces.add(body.end());
        }
        return handOut();
    }

    private boolean encode(Entry entry, SnapshotReader.Room room) {
        if (last != null && entry.key().compareTo(last) > 0) {
            over = true;
            return false;
        }
        ObjectNode object = resource.read(entry);
        return !selection.matches(object) || keep(object, room);
    }

    /** What is handed out stays counted while the next page is read. */
    private byte[] handOut() {
        byte[] piece = pieces.take();
        handedOut = piece.length;
        hold.handedOut(handedOut);
        return piece;
    }

    /** The list without its items. */
    private ObjectNode head() {
        ObjectNode list = Json.object();
        list.put("kind", resource.type().listKind());
        list.put("apiVersion", resource.type().groupVersion().apiVersion());
        ObjectNode metadata = list.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(revision));
        String end = last;
        if (end == null) {
            if (resource.type().custom()) {
                // Upstream's lists of unstructured objects always have the member.
                metadata.put("continue", "");
            }
            return list;
        }
        metadata.put(
                "continue",
                new ContinueToken(revision, end.substring(selection.prefix().length())).text());
        if (selection.isEverything()) {
            metadata.put("remainingItemCount", store.count(selection.prefix(), end, revision));
        }
        return list;
    }
}
