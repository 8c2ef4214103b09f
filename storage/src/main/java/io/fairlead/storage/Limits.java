package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Write;

/** The port's rules about arguments, the same for every engine of this module. */
final class Limits {
    private Limits() {}

    static void check(Write write) {
        checkKey(write.key());
        switch (write) {
            case Write.Put put -> checkPut(put);
            case Write.Delete delete -> checkDelete(delete);
        }
    }

    /** The oldest and newest readable revisions. */
    static void checkRevision(long revision, long compacted, long newest) {
        if (revision < compacted) {
            throw new CompactedException(revision, compacted);
        }
        if (revision > newest) {
            throw new IllegalArgumentException(
                    "revision " + revision + " (expected at most " + newest + ", the newest)");
        }
    }

    static void checkCount(int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("countMax: " + countMax + " (expected at least 1)");
        }
    }

    private static void checkPut(Write.Put put) {
        if (put.value().length > RevisionedStore.VALUE_BYTES_MAX) {
            throw new IllegalArgumentException("value of \"" + put.key() + "\": " + put.value().length
                    + " bytes (expected at most " + RevisionedStore.VALUE_BYTES_MAX + ")");
        }
        if (put.expectedRevision() < 0) {
            throw new IllegalArgumentException("expected revision of \"" + put.key() + "\": " + put.expectedRevision());
        }
    }

    private static void checkDelete(Write.Delete delete) {
        if (delete.expectedRevision() < 1) {
            throw new IllegalArgumentException("expected revision of the deletion of \"" + delete.key() + "\": "
                    + delete.expectedRevision() + " (expected a positive one: only what exists can be deleted)");
        }
    }

    private static void checkKey(String key) {
        if (key.isEmpty() || key.length() > RevisionedStore.KEY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "key of " + key.length() + " bytes (expected 1 to " + RevisionedStore.KEY_BYTES_MAX + ")");
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException(
                        "key with character U+%04X at %d (expected printable ASCII)".formatted((int) c, i));
            }
        }
    }
}
