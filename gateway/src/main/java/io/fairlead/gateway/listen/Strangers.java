package io.fairlead.gateway.listen;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * An unauthenticated client can open the maximum number of connections, and keep each idle for minutes. Refusing the
 * newest connection would lock all other clients out. So an unauthenticated one is closed: a client with a credential
 * sends it at once. It is the oldest of the address with the most of them; otherwise a flood from a few addresses would
 * close the connections of other clients before they could authenticate.
 */
/**
 * The connections without an authenticated caller.
 *
 * <p>Threads: any; nothing blocks for long.
 */
final class Strangers {
    private final Map<AddressBlock, Crowd> byAddress = new HashMap<>();

    /** Among addresses with equal numbers, the one that began first. */
    private final NavigableSet<Crowd> largestFirst =
            new TreeSet<>(Comparator.comparingInt(Crowd::size).reversed().thenComparingLong(Crowd::number));

    private long crowds;

    /** Those of one address, in order of arrival. */
    private record Crowd(AddressBlock address, long number, Set<Place> places) {
        int size() {
            return places.size();
        }
    }

    /** A connection was accepted. */
    synchronized void came(Place place) {
        Crowd crowd = byAddress.computeIfAbsent(
                place.address(), address -> new Crowd(address, crowds++, new LinkedHashSet<>()));
        largestFirst.remove(crowd);
        crowd.places().add(place);
        largestFirst.add(crowd);
    }

    /** It has a caller now, or is closed. */
    synchronized void isNoLonger(Place place) {
        Crowd crowd = byAddress.get(place.address());
        if (crowd == null) {
            return;
        }
        largestFirst.remove(crowd);
        crowd.places().remove(place);
        if (crowd.places().isEmpty()) {
            byAddress.remove(crowd.address());
        } else {
            largestFirst.add(crowd);
        }
    }

    /** Closes the oldest connection of the address with the most; false if there is none. */
    boolean closeOldest() {
        return close(removeOldest());
    }

    /** Closes the oldest connection of an address; false if there is none. */
    boolean closeOldestOf(AddressBlock address) {
        return close(removeOldestOf(address));
    }

    private static boolean close(@Nullable Place place) {
        if (place == null) {
            return false;
        }
        place.giveUp();
        return true;
    }

    private synchronized @Nullable Place removeOldest() {
        return largestFirst.isEmpty()
                ? null
                : removeOldestOf(largestFirst.first().address());
    }

    private synchronized @Nullable Place removeOldestOf(AddressBlock address) {
        Crowd crowd = byAddress.get(address);
        if (crowd == null) {
            return null;
        }
        Place oldest = crowd.places().iterator().next();
        isNoLonger(oldest);
        return oldest;
    }
}
