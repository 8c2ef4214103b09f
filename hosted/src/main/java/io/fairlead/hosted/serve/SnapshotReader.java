package io.fairlead.hosted.serve;

import io.fairlead.schema.json.TreeBytes;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Page;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A state of one resource, read page by page: what is read at once is bounded, held by the answer before it is worked on, and
 * worked on in turn with other answers.
 *
 * <p>Threads: one.
 */
final class SnapshotReader {
    /** What makes a page, and what is answered without waiting for a turn: about a millisecond's work. */
    static final long PAGE_BYTES = 128L * 1024;

    private final RevisionedStore store;
    private final Range range;
    private final long revision;
    private final AnswerHold hold;
    private @Nullable String after;
    private boolean begun;
    private boolean over;

    /**
     * What is read.
     *
     * @param prefix below which the keys stand
     * @param onlyKey the only key, or null for all
     * @param after behind which to begin, or null for the first
     */
    record Range(
            String prefix,
            @Nullable String onlyKey,
            @Nullable String after) {}

    SnapshotReader(RevisionedStore store, Range range, long revision, AnswerHold hold) {
        this.store = store;
        this.range = range;
        this.revision = revision;
        this.hold = hold;
        this.after = range.after();
    }

    /** The key of the last entry that was taken, or what was begun behind. */
    @Nullable
    String after() {
        return after;
    }

    /** Whether there is nothing more to read. */
    boolean isOver() {
        return over;
    }

    /**
     * Reads the next page and hands out its entries until one is not taken; that one comes first in the next page.
     *
     * @param alsoHeld the bytes that the answer holds beside this page
     * @throws io.fairlead.model.StatusException 429 if there is no room for it
     * @throws RevisionedStore.CompactedException if the state is gone
     */
    void next(long alsoHeld, Predicate<Entry> taker) throws InterruptedException {
        Page page = read(alsoHeld);
        boolean heavy = bytes(page.entries()) >= PAGE_BYTES || page.more() || begun;
        begun = true;
        if (heavy) {
            hold.takeTurn();
        }
        try {
            for (Entry entry : page.entries()) {
                if (!taker.test(entry)) {
                    return;
                }
                after = entry.key();
            }
            over = !page.more();
        } finally {
            if (heavy) {
                hold.giveTurn();
            }
        }
    }

    /** A page that is held: one that turns out larger than expected is dropped and read again once there is room. */
    private Page read(long alsoHeld) throws InterruptedException {
        long expected = PAGE_BYTES;
        while (true) {
            hold.require(alsoHeld + expected);
            Page page = page();
            long cost = cost(page.entries());
            if (cost <= expected || hold.tryRequire(alsoHeld + cost)) {
                return page;
            }
            expected = cost;
        }
    }

    private Page page() {
        String onlyKey = range.onlyKey();
        if (onlyKey == null) {
            return store.page(range.prefix(), after, PAGE_BYTES, revision);
        }
        Entry only = onlyKey.equals(after) ? null : store.get(onlyKey, revision);
        return new Page(only == null ? List.of() : List.of(only), false);
    }

    /** What working on a page holds at most: its values, their encoded form twice, and one tree at a time. */
    private static long cost(List<Entry> entries) {
        long tree = 0;
        for (Entry entry : entries) {
            tree = Math.max(tree, TreeBytes.of(entry.value()));
        }
        return 3 * bytes(entries) + tree;
    }

    private static long bytes(List<Entry> entries) {
        long bytes = 0;
        for (Entry entry : entries) {
            bytes += entry.bytes();
        }
        return bytes;
    }
}
