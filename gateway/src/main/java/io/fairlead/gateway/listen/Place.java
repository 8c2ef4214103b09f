package io.fairlead.gateway.listen;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/*
 * A connection belongs to the first caller that authenticates on it. Requests of other callers on it, which a proxy may
 * send, do not count: the bound is on the connections that a caller can keep open, and it must be the first on each of
 * them. A front proxy whose users are known by its headers owns its connections itself, whichever user is first.
 */
/**
 * The counts that one connection holds: in total, of its address, and of its caller once that is known. A connection
 * without a caller may be closed for new ones when there is no place left.
 *
 * <p>Threads: any.
 */
final class Place {
    private final ConnectionQuota quota;
    private final InetAddress address;
    private final AddressBlock block;
    private final Strangers strangers;
    private final Runnable close;
    private @Nullable Object caller;
    private boolean left;

    private Place(ConnectionQuota quota, InetAddress address, Strangers strangers, Runnable close) {
        this.quota = quota;
        this.address = address;
        this.block = AddressBlock.of(address);
        this.strangers = strangers;
        this.close = close;
    }

    /**
     * Takes over the counts acquired for the address.
     *
     * @param close ends the connection soon, from any thread; called at most once
     */
    static Place of(ConnectionQuota quota, InetAddress address, Strangers strangers, Runnable close) {
        Place place = new Place(quota, address, strangers, close);
        strangers.came(place);
        return place;
    }

    /** A request on it was authenticated; false if it stays without a caller, since the caller is at its limit. */
    synchronized boolean isTakenBy(Object newCaller) {
        if (caller != null || left) {
            return true;
        }
        if (!quota.acquireFor(newCaller)) {
            return false;
        }
        caller = newCaller;
        strangers.isNoLonger(this);
        return true;
    }

    AddressBlock address() {
        return block;
    }

    synchronized boolean isLeft() {
        return left;
    }

    /** Releases its counts and closes the connection. */
    void giveUp() {
        leave();
        close.run();
    }

    /** Releases its counts, once. */
    synchronized void leave() {
        if (left) {
            return;
        }
        left = true;
        strangers.isNoLonger(this);
        quota.release(address);
        if (caller != null) {
            quota.releaseOf(caller);
        }
    }
}
