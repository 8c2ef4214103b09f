package io.fairlead.hosted.log;

import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One committed change, with the forms of it that watchers have made so far and share.
 *
 * <p>Threads: any.
 */
public final class LogEvent {
    /** Beyond so many forms each watcher makes its own: then memory matters more than work. */
    private static final int FORMS_MAX = 16;

    private final Change change;
    private final ConcurrentHashMap<Object, Object> forms = new ConcurrentHashMap<>(4);

    public LogEvent(Change change) {
        this.change = change;
    }

    public long revision() {
        return change.revision();
    }

    public String key() {
        return change.key();
    }

    /** What stands there now, null after a deletion. */
    public byte @Nullable [] value() {
        return change.value();
    }

    /** What stood there before, null if nothing did. */
    public @Nullable Entry previous() {
        return change.previous();
    }

    /**
     * A form of this event, made once for all who ask with an equal key.
     *
     * @param form the class of what the maker makes; one key has one class
     */
    public <T> T shared(Object key, Class<T> form, Supplier<T> maker) {
        Object known = forms.get(key);
        if (known == null && forms.size() < FORMS_MAX) {
            known = forms.computeIfAbsent(key, k -> maker.get());
        }
        return known == null ? maker.get() : form.cast(known);
    }
}
