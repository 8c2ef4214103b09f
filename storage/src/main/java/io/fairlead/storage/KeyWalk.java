package io.fairlead.storage;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;

/** A walk over the keys with a prefix that existed at a revision, in order. */
final class KeyWalk {
    /** The versions of one key to skip before a seek is cheaper. */
    private static final int STEPS_MAX = 8;

    private final RocksIterator versions;
    private final String prefix;
    private final long revision;
    private long foundRevision;

    KeyWalk(RocksIterator versions, String prefix, @Nullable String after, long revision) {
        this.versions = versions;
        this.prefix = prefix;
        this.revision = revision;
        boolean beyondStart = after != null && after.compareTo(prefix) >= 0;
        versions.seek(beyondStart && after != null ? FileKeys.behind(after) : FileKeys.firstVersion(prefix));
    }

    /** Steps to the next existing key; its version's revision is {@link #foundRevision}. */
    boolean next() {
        while (versions.isValid()) {
            byte[] fileKey = versions.key();
            if (!FileKeys.isVersion(fileKey)) {
                return false;
            }
            String key = FileKeys.versionKey(fileKey);
            if (!key.startsWith(prefix)) {
                return false;
            }
            foundRevision = FileKeys.versionRevision(fileKey);
            if (foundRevision > revision) {
                skipNewer(key);
            } else {
                boolean live = FileKeys.isLive(versions.value());
                skipOlder(key);
                if (live) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The revision of the current version. */
    long foundRevision() {
        return foundRevision;
    }

    private void skipNewer(String key) {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            versions.next();
            if (!standsOn(key) || FileKeys.versionRevision(versions.key()) <= revision) {
                return;
            }
        }
        versions.seek(FileKeys.version(key, revision));
    }

    private void skipOlder(String key) {
        for (int steps = 0; steps < STEPS_MAX; steps++) {
            versions.next();
            if (!standsOn(key)) {
                return;
            }
        }
        versions.seek(FileKeys.behind(key));
    }

    private boolean standsOn(String key) {
        return versions.isValid()
                && FileKeys.isVersion(versions.key())
                && FileKeys.versionKey(versions.key()).equals(key);
    }
}
