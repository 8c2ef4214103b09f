package io.fairlead.hosted.identity;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cache that takes no memory before its first entry: most clusters never see a token. Threads: any. */
final class LateCache<K, V> {
    private final Supplier<Cache<K, V>> maker;
    private volatile @Nullable Cache<K, V> made;

    /** @param maker called once at most */
    LateCache(Supplier<Cache<K, V>> maker) {
        this.maker = maker;
    }

    /** The value of a key; null if there is none. */
    @Nullable
    V getIfPresent(K key) {
        Cache<K, V> cache = made;
        return cache == null ? null : cache.getIfPresent(key);
    }

    void put(K key, V value) {
        cache().put(key, value);
    }

    private synchronized Cache<K, V> cache() {
        Cache<K, V> cache = made;
        if (cache == null) {
            cache = maker.get();
            made = cache;
        }
        return cache;
    }
}
