package io.fairlead.hosted.objects;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets a controller that closes a namespace or resource to new objects wait for the creates in progress.
 *
 * <p>A create holds the gate of its namespace and of its resource from before it checks that they are open until it is
 * committed. A controller that has seen one of them closed calls {@link #drain} and then misses nothing. Each cluster has a gate
 * of its own, since a create may wait for the cluster's webhook; its keys share locks, at the cost of a short wait at worst.
 */
public final class WriteGate {
    private static final int STRIPES = 64;

    /** Made when they are needed first: most clusters need few. */
    private final AtomicReferenceArray<@Nullable ReadWriteLock> stripes = new AtomicReferenceArray<>(STRIPES);

    /** Waits until every create that has passed the gate of a key is committed or refused. */
    public void drain(String key) {
        Lock lock = lock(stripe(key)).writeLock();
        lock.lock();
        try {
            // Holding the write lock once is enough: no create is passing any more.
            return;
        } finally {
            lock.unlock();
        }
    }

    /** Passes the gates of a namespace (or none if empty) and a resource; closing leaves them. */
    Passage pass(String resource, String namespace) {
        int one = stripe(resource);
        int other = namespace.isEmpty() ? one : stripe(namespace);
        // Always the lower stripe first: a waiting drain blocks readers, so crossing orders could deadlock.
        Lock first = lock(Math.min(one, other)).readLock();
        Lock second = lock(Math.max(one, other)).readLock();
        first.lock();
        second.lock();
        return () -> {
            second.unlock();
            first.unlock();
        };
    }

    private ReadWriteLock lock(int stripe) {
        ReadWriteLock known = stripes.get(stripe);
        if (known != null) {
            return known;
        }
        ReadWriteLock made = new ReentrantReadWriteLock();
        ReadWriteLock other = stripes.compareAndExchange(stripe, null, made);
        return other == null ? made : other;
    }

    private static int stripe(String key) {
        return Math.floorMod(key.hashCode(), STRIPES);
    }

    /** The locks held while passing. */
    public interface Passage extends AutoCloseable {
        @Override
        void close();
    }
}
