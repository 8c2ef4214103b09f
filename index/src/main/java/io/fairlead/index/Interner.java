package io.fairlead.index;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps one of equal values, as long as it is referenced. Any thread. */
final class Interner<T> {
    private final ConcurrentHashMap<Entry<T>, Entry<T>> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<T> unused = new ReferenceQueue<>();

    /** The shared value that equals this one. */
    T intern(T value) {
        forgetUnused();
        Entry<T> candidate = new Entry<>(value, unused);
        while (true) {
            Entry<T> existing = entries.putIfAbsent(candidate, candidate);
            T kept = existing == null ? value : existing.get();
            if (kept != null) {
                return kept;
            }
            entries.remove(existing);
        }
    }

    private void forgetUnused() {
        for (Reference<?> reference = unused.poll(); reference != null; reference = unused.poll()) {
            entries.remove(reference);
        }
    }

    private static final class Entry<T> extends WeakReference<T> {
        private final int hash;

        Entry(T value, ReferenceQueue<T> unused) {
            super(value, unused);
            hash = value.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other || !(other instanceof Entry<?> entry)) {
                return this == other;
            }
            T value = get();
            return value != null && value.equals(entry.get());
        }
    }
}
