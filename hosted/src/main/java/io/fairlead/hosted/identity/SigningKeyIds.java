package io.fairlead.hosted.identity;

import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The ids of the keys by which the hosted clusters of a store sign tokens, whether a cluster is open or not. Those in the store are
 * read at the first question. At most {@link SigningKeys#KEYS_MAX} of each cluster.
 *
 * <p>Threads: any; the first question blocks.
 */
public final class SigningKeyIds {
    private final RevisionedStore store;
    private final String prefix;
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final ReentrantLock reading = new ReentrantLock();
    private volatile boolean isRead;

    /**
     * Those of a store.
     *
     * @param prefix of the keys of the entries that have signing keys
     */
    public SigningKeyIds(RevisionedStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** Whether some cluster signs, or has signed, by a key of this id. */
    public boolean has(String id) {
        if (!isRead) {
            readOnce();
        }
        return ids.contains(id);
    }

    /** Before a key can sign. */
    void add(String id) {
        ids.add(id);
    }

    /** A key that is none, or verifies no more. */
    void remove(String id) {
        ids.remove(id);
    }

    /** Forgets those of a cluster whose data are about to be deleted. */
    public void forget(String entryKey) {
        Entry entry = store.get(entryKey);
        if (entry != null) {
            SigningKeys.ids(entry.value()).forEach(ids::remove);
        }
    }

    private void readOnce() {
        reading.lock();
        try {
            if (!isRead) {
                for (Entry entry : store.list(prefix, null, 0, store.revision())) {
                    ids.addAll(SigningKeys.ids(entry.value()));
                }
                isRead = true;
            }
        } finally {
            reading.unlock();
        }
    }
}
