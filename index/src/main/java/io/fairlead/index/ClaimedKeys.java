package io.fairlead.index;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The keys that the holders of a cluster claim, as numbers.
 *
 * @param keys each key that some holder claims
 * @param shared the keys that more than one claims, each once for every holder but one
 */
record ClaimedKeys(KeySet keys, KeyBag shared) {
    /** No claims. */
    static final ClaimedKeys NONE = new ClaimedKeys(KeySet.of(new int[0]), KeyBag.EMPTY);

    private static final int[] NO_IDS = {};

    /**
     * The keys after one holder's claims changed: keys with another holder become shared, and shared ones stay.
     *
     * @param before the numbers that the holder claimed, each once and in order
     * @param after those that it claims now
     */
    ClaimedKeys changed(int[] before, int[] after) {
        int[] gained = those(after, id -> Arrays.binarySearch(before, id) < 0);
        int[] lost = those(before, id -> Arrays.binarySearch(after, id) < 0);
        KeyBag bag = shared;
        for (int id : gained) {
            bag = keys.contains(id) ? bag.with(id) : bag;
        }
        for (int id : lost) {
            bag = shared.contains(id) ? bag.without(id) : bag;
        }
        int[] added = those(gained, id -> !keys.contains(id));
        int[] removed = those(lost, id -> !shared.contains(id));
        return new ClaimedKeys(added.length + removed.length == 0 ? keys : keys.changed(added, removed), bag);
    }

    /** The wanted ones of the numbers; no new array for all or none, the most frequent cases. */
    private static int[] those(int[] ids, IntPredicate wanted) {
        int count = 0;
        for (int id : ids) {
            count += wanted.test(id) ? 1 : 0;
        }
        return count == ids.length
                ? ids
                : count == 0 ? NO_IDS : Arrays.stream(ids).filter(wanted).toArray();
    }
}
