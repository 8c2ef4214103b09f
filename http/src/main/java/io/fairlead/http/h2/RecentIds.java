package io.fairlead.http.h2;

/**
 * The streams that ended last, and whether this side ended them: of those, frames may still be under way (RFC 9113
 * section 5.4.2).
 */
final class RecentIds {
    private static final int SIZE = 512;

    /** Negative for those that were reset here; 0 where none is remembered. */
    private final int[] ids = new int[SIZE];

    void add(int id, boolean wasResetHere) {
        ids[slot(id)] = wasResetHere ? -id : id;
    }

    boolean wasResetHere(int id) {
        return ids[slot(id)] == -id;
    }

    /** Whether it is remembered to have been open. */
    boolean wasOpen(int id) {
        return Math.abs(ids[slot(id)]) == id;
    }

    /** Ids of one side are all odd or all even, and come in their order. */
    private static int slot(int id) {
        return (id >>> 1) % SIZE;
    }
}
