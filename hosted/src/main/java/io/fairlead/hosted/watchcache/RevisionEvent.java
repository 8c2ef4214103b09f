package io.fairlead.hosted.watchcache;

import io.fairlead.model.ByteBudget;
import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One committed change, and its holders.
 *
 * <p>Threads: any.
 */
public final class RevisionEvent {
    /** What a change holds in addition to its key and values. */
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

    /** The current value, null after a deletion. */
    public byte @Nullable [] value() {
        return change.value();
    }

    /** The previous value, null if there was none. */
    public @Nullable Entry previous() {
        return change.previous();
    }

    /** Its own size, without its forms. */
    public long bytes() {
        return change.bytes() + OVERHEAD_BYTES;
    }

    /**
     * A form of this event, encoded once for all calls with an equal key, as long as it fits. The encoder must not
     * request another form.
     *
     * @param form the class of the encoder's result; one key has one class
     * @param bytes the size of a form
     */
    public <T> T shared(Object key, Class<T> form, Supplier<T> maker, ToLongFunction<T> bytes) {
        return forms == null ? maker.get() : forms.get(this, key, form, maker, bytes);
    }

    /** The same of a form whose making may wait for others: calls at once may make it several times. */
    public <T> T sharedLater(Object key, Class<T> form, Supplier<T> maker, ToLongFunction<T> bytes) {
        return forms == null ? maker.get() : forms.getOrMake(this, key, form, maker, bytes);
    }

    /**
     * Adds a holder; the first one counts it.
     *
     * @param budget of all holders
     * @param bytesMax the most that it counts
     * @return whether it fits
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
