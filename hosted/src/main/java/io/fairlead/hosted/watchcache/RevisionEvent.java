package io.fairlead.hosted.watchcache;

import io.fairlead.model.ByteBudget;
import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One committed change, and who holds it.
 *
 * <p>Threads: any.
 */
public final class RevisionEvent {
    /** What a change holds beside its key and values. */
    private static final int OVERHEAD_BYTES = 256;

    private final Change change;
    private final @Nullable EventForms forms;
    private int holders;
    private long counted;
    private @Nullable ByteBudget countedIn;

    /** A change whose forms are shared if {@code forms} is given. */
    RevisionEvent(Change change, @Nullable EventForms forms) {
        this.change = change;
        this.forms = forms;
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

    /** What it holds itself, without its forms. */
    public long bytes() {
        return change.bytes() + OVERHEAD_BYTES;
    }

    /**
     * A form of this event, made once for all who ask with an equal key, as long as there is room for it. The maker asks for no
     * other form.
     *
     * @param form the class of what the maker makes; one key has one class
     * @param bytes what a form holds
     */
    public <T> T shared(Object key, Class<T> form, Supplier<T> maker, ToLongFunction<T> bytes) {
        return forms == null ? maker.get() : forms.get(this, key, form, maker, bytes);
    }

    /**
     * Holds it once more; the first to hold it has it counted.
     *
     * @param budget of all who hold it
     * @param bytesMax the most that it counts
     * @return whether there is room
     */
    synchronized boolean hold(ByteBudget budget, long bytesMax) {
        if (holders == 0) {
            long bytes = Math.min(bytes(), bytesMax);
            if (!budget.take(bytes)) {
                return false;
            }
            counted = bytes;
            countedIn = budget;
        }
        holders++;
        return true;
    }

    /** Ends one {@link #hold}. */
    synchronized void release() {
        holders--;
        if (holders == 0 && countedIn != null) {
            countedIn.give(counted);
        }
    }
}
