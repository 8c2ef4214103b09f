package io.fairlead.hosted.verbs;

import io.fairlead.hosted.objects.Codec;
import io.fairlead.schema.json.TreeSize;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one resource at a revision, page by page: each page is bounded, counted for the answer before it is processed,
 * and processed in turn with other answers.
 *
 * <p>Threads: one.
 */
final class SnapshotReader {
    /** The size of a page, and of an answer without a turn: about a millisecond's work. */
    static final long PAGE_BYTES = 128L * 1024;

    /** Where a page ends early: objects may be far larger than their stored form, by the defaults of their type. */
    private static final long MADE_BYTES_MAX = 4 * PAGE_BYTES;

    /** Memory per encoded byte at most: itself, itself joined with others, and the tree that it is encoded from. */
    private static final int HELD_FOR_EACH = 3;

    private final RevisionedStore store;
    private final Range range;
    private final long revision;
    private final AnswerHold hold;
    private final Codec codec;
    private @Nullable String after;
    private boolean begun;
    private boolean over;

    /**
     * A range of keys.
     *
     * @param prefix the key prefix
     * @param onlyKey the only key, or null for all
     * @param after the key after which to begin, or null for the first
     */
    record Range(
            String prefix,
            @Nullable String onlyKey,
            @Nullable String after) {}

    /** Processes entries. */
    @FunctionalInterface
    interface Maker {
        /**
         * Processes an entry, and keeps the result if it fits.
         *
         * @return whether the entry is done; otherwise the page ends before it
         */
        boolean make(Entry entry, Room room);
    }

    /** Where to keep the results for the entries of one page. */
    interface Room {
        /** Counts bytes; returns false if they do not fit now and must not be kept. */
        boolean take(long bytes);
    }

    /** @param codec prepares the entries of each page before others wait for this read's turn */
    SnapshotReader(RevisionedStore store, Range range, long revision, AnswerHold hold, Codec codec) {
        this.codec = codec;
        this.store = store;
        this.range = range;
        this.revision = revision;
        this.hold = hold;
        this.after = range.after();
    }

    /** The key of the last entry that was taken, or the key after which the read began. */
    @Nullable
    String after() {
        return after;
    }

    /** Whether the end is reached. */
    boolean isOver() {
        return over;
    }

    /**
     * Reads the next page and processes its entries until one is not done for another reason than lack of room, or the
     * results are large enough. Without room for the next entry the page ends early, so that its results can go; without room for the
     * first one the page is dropped and read again once there is room. Holds no turn while waiting for it.
     *
     * @param handedOut the bytes of earlier results that may still be on their way to the client
     * @param kept the bytes that the answer keeps beside this page
     * @throws io.fairlead.model.StatusException 429 if it does not fit
     * @throws RevisionedStore.CompactedException if the revision is compacted
     */
    void next(long handedOut, long kept, Maker maker) throws InterruptedException {
        long needed = PAGE_BYTES;
        while (needed > 0) {
            hold.require(handedOut + kept + needed, kept);
            needed = attempt(handedOut + kept, maker);
        }
    }

    /** As {@link #next}, but if that has to wait for room it does nothing and returns false. */
    boolean nextAtOnce(long handedOut, long kept, Maker maker) throws InterruptedException {
        return hold.tryRequire(handedOut + kept + PAGE_BYTES) && attempt(handedOut + kept, maker) == 0;
    }

    /** Processes a page that is held; returns 0, or how many bytes must be held for it before it is tried again. */
    private long attempt(long alsoHeld, Maker maker) throws InterruptedException {
        SizedPage page = sized(page());
        long cost = page.cost() + preparation(page);
        if (!hold.tryRequire(alsoHeld + cost)) {
            return cost;
        }
        if (codec.mayAsk()) {
            page = sized(new Page(codec.prepared(page.entries()), page.more()));
            if (!hold.tryRequire(alsoHeld + page.cost())) {
                return page.cost();
            }
        }
        PageWork work = new PageWork(page, alsoHeld);
        boolean heavy = page.bytes() >= PAGE_BYTES || page.more() || begun;
        begun = true;
        if (heavy) {
            hold.takeTurn();
        }
        try {
            work.goOn(maker);
        } finally {
            if (heavy) {
                hold.giveTurn();
            }
        }
        return work.lacksRoom && work.made == 0 ? work.wanted - alsoHeld : 0;
    }

    /** What preparing a page takes. It is held before: an answer that is there already must not wait for room. */
    private long preparation(SizedPage page) {
        long most = codec.preparedBytesMax(page.bytes());
        return most > page.bytes() ? HELD_FOR_EACH * most : 0;
    }

    private Page page() {
        String onlyKey = range.onlyKey();
        if (onlyKey == null) {
            return store.page(range.prefix(), after, PAGE_BYTES, revision);
        }
        Entry only = onlyKey.equals(after) ? null : store.get(onlyKey, revision);
        return new Page(only == null ? List.of() : List.of(only), false);
    }

    /**
     * A page, whose entries are looked through once.
     *
     * @param bytes of the entries
     * @param cost the most memory for processing it: its values, their encoded form twice, and one tree at a time
     */
    private record SizedPage(List<Entry> entries, boolean more, long bytes, long cost) {}

    private SizedPage sized(Page page) {
        long bytes = 0;
        long tree = 0;
        for (Entry entry : page.entries()) {
            TreeSize size = TreeSize.ofJson(entry.value());
            tree = Math.max(tree, size.bytes() + codec.defaultsBytesMax(size.values()));
            bytes += entry.bytes();
        }
        return new SizedPage(page.entries(), page.more(), bytes, HELD_FOR_EACH * bytes + tree);
    }

    /** The processing of one page. */
    private final class PageWork implements Room {
        private final SizedPage page;
        private final long pageCost;
        private int done;
        private long made;
        /** The bytes that the answer must hold to keep the result that did not fit. */
        private long wanted;

        private boolean lacksRoom;

        PageWork(SizedPage page, long alsoHeld) {
            this.page = page;
            this.pageCost = alsoHeld + page.cost();
        }

        void goOn(Maker maker) {
            while (done < page.entries().size() && made < MADE_BYTES_MAX) {
                Entry entry = page.entries().get(done);
                if (!maker.make(entry, this)) {
                    return;
                }
                after = entry.key();
                done++;
            }
            over = done == page.entries().size() && !page.more();
        }

        /** The entries' own size is counted already. */
        @Override
        public boolean take(long bytes) {
            long beyond = made + bytes - page.bytes();
            if (beyond > 0) {
                wanted = pageCost + HELD_FOR_EACH * beyond;
                lacksRoom = !hold.tryRequire(wanted);
            }
            made += lacksRoom ? 0 : bytes;
            return !lacksRoom;
        }
    }
}
