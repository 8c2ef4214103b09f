package io.fairlead.gateway.listen;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/*
 * A connection belongs to the first caller that authenticates on it. Requests of others on it, which a proxy may send, count for
 * none: what is bounded is how many connections a caller can keep, and it has to be the first on each of them.
 */
/**
 * What one connection takes of all that there may be: a place in total and of its address, and one of its caller's once that is
 * known. Until then it is a stranger's, which is closed for others when there is no place left.
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
     * Takes over what was acquired for the address, for a stranger.
     *
     * @param close ends the connection soon, from any thread; called once at most
     */
    static Place of(ConnectionQuota quota, InetAddress address, Strangers strangers, Runnable close) {
        Place place = new Place(quota, address, strangers, close);
        strangers.came(place);
        return place;
    }

    /** A request on it was authenticated; false if it is a stranger's still, as the caller has all the connections it may have. */
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

    /** Leaves and closes the connection. */
    void giveUp() {
        leave();
        close.run();
    }

    /** Gives back what it took, once. */
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
