package io.fairlead.hosted.watchcache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Encoded forms of recent changes, shared by watchers within a bound of bytes; a dropped form is encoded again.
 *
 * <p>Threads: any.
 */
final class EventForms {
    /** Watchers that keep up need a form within moments; slower ones encode their own. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final Cache<Key, Form> forms;

    EventForms(long bytesMax) {
        this.forms = Caffeine.newBuilder()
                .maximumWeight(bytesMax)
                .weigher((Key key, Form form) -> (int)
                        Math.min(Integer.MAX_VALUE, form.bytes() + key.event().bytes()))
                .expireAfterWrite(KEPT)
                .executor(Runnable::run)
                .build();
    }

    /** A form of a change, encoded once for all calls with an equal key while it is kept. */
    <T> T get(RevisionEvent event, Object key, Class<T> type, Supplier<T> maker, ToLongFunction<T> bytes) {
        Form form = forms.get(new Key(event, key), k -> {
            T made = maker.get();
            return new Form(made, bytes.applyAsLong(made));
        });
        return type.cast(Objects.requireNonNull(form).made());
    }

    /** The same where making a form may take long, so that nothing waits for it: calls at once may make it several times. */
    <T> T getOrMake(RevisionEvent event, Object key, Class<T> type, Supplier<T> maker, ToLongFunction<T> bytes) {
        Form known = forms.getIfPresent(new Key(event, key));
        if (known != null) {
            return type.cast(known.made());
        }
        T made = maker.get();
        forms.put(new Key(event, key), new Form(made, bytes.applyAsLong(made)));
        return made;
    }

    /** Events are compared by identity. */
    private record Key(RevisionEvent event, Object form) {}

    private record Form(Object made, long bytes) {}
}
