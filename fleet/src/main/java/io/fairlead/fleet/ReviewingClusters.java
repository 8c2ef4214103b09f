package io.fairlead.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.model.ClusterName;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The clusters that are asked whose tokens are ({@link Vouching#asksForTokens}), on a ring of all names in an order that differs
 * from process to process. Each name belongs to the next of them from its place on; such a cluster belongs to itself. When one is
 * added or removed, its own name changes over together with all names on the way to it, and no other.
 *
 * <p>Any thread; nothing here waits.
 */
final class ReviewingClusters {
    private static final int KEY_BYTES = 16;

    private final byte[] key = new byte[KEY_BYTES];
    private final ConcurrentSkipListMap<Place, ClusterName> ring =
            new ConcurrentSkipListMap<>(Comparator.comparingLong(Place::hash).thenComparing(Place::name));

    private record Place(long hash, ClusterName name) {}

    ReviewingClusters() {
        new SecureRandom().nextBytes(key);
    }

    void add(ClusterName name) {
        ring.put(place(name), name);
    }

    void remove(ClusterName name) {
        ring.remove(place(name));
    }

    /** The one that a name belongs to, whether a cluster has the name or not; empty if there is none at all. */
    Optional<ClusterName> of(ClusterName name) {
        Map.Entry<Place, ClusterName> next = ring.ceilingEntry(place(name));
        return Optional.ofNullable(next == null ? ring.firstEntry() : next).map(Map.Entry::getValue);
    }

    private Place place(ClusterName name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(key);
            return new Place(
                    ByteBuffer.wrap(digest.digest(name.value().getBytes(UTF_8))).getLong(), name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
