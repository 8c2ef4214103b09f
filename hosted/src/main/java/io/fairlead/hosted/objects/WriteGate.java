package io.fairlead.hosted.objects;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets whoever closes something to new objects wait until those that were already on their way have arrived.
 *
 * <p>A create passes the gate of its namespace and of its resource from before it looks whether they are open until it is
 * committed. All clusters of a store share one gate. A controller that has seen one of them closed calls {@link #drain} and then misses nothing. Keys share
 * locks; the worst that comes of it is a short wait.
 */
public final class WriteGate {
    private static final int STRIPES = 256;

    private final ReadWriteLock[] stripes = new ReadWriteLock[STRIPES];

    public WriteGate() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ReentrantReadWriteLock();
        }
    }

    /** Waits until every create that had passed the gate of a key has been committed or refused. */
    public void drain(String key) {
        Lock lock = stripes[stripe(key)].writeLock();
        lock.lock();
        try {
            // Being here is all that is wanted: nobody is passing any more.
            return;
        } finally {
            lock.unlock();
        }
    }

    /** Passes the gates of a namespace (or none if empty) and a resource; closing leaves them. */
    Passage pass(String resource, String namespace) {
        int one = stripe(resource);
        int other = namespace.isEmpty() ? one : stripe(namespace);
        // Always the lower stripe first: a waiting drain holds up readers, so crossing orders could block each other.
        Lock first = stripes[Math.min(one, other)].readLock();
        Lock second = stripes[Math.max(one, other)].readLock();
        first.lock();
        second.lock();
        return () -> {
            second.unlock();
            first.unlock();
        };
    }

    private static int stripe(String key) {
        return Math.floorMod(key.hashCode(), STRIPES);
    }

    /** What is held while passing. */
    public interface Passage extends AutoCloseable {
        @Override
        void close();
    }
}
