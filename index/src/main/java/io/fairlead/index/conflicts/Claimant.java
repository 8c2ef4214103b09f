package io.fairlead.index.conflicts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An object in few bytes, with its claims: a link of the chain of those with one hash of the name. */
final class Claimant {
    /** About what one takes with its place in the table, without its name. */
    static final int BYTES = 88;

    private static final char NO_NAME = '\0';
    private static final UUID NONE = new UUID(0, 0);

    /** One for all objects of a namespace. */
    final Place place;

    /** The name in UTF-8; after a NUL the uid, if it is none of RFC 9562. */
    private final byte[] name;

    private final long uidHigh;
    private final long uidLow;
    private final int createdSeconds;

    /** The last list in which it was. */
    int list;

    boolean isLive;

    @Nullable
    Claim claims;

    @Nullable
    Claimant next;

    /** A namespace of a cluster, as long as there are objects of it. */
    static final class Place {
        final Name name;
        int objects;

        /** What it is known by. */
        record Name(ClusterName cluster, String namespace) {}

        Place(Name name) {
            this.name = name;
        }
    }

    Claimant(Place place, String name, String uid, Instant created) {
        this.place = place;
        boolean isStandard = isStandard(uid);
        this.name = (isStandard ? name : name + NO_NAME + uid).getBytes(UTF_8);
        UUID parsed = isStandard ? UUID.fromString(uid) : NONE;
        uidHigh = parsed.getMostSignificantBits();
        uidLow = parsed.getLeastSignificantBits();
        createdSeconds = Math.clamp(created.getEpochSecond(), 0, Integer.MAX_VALUE);
    }

    private static boolean isStandard(String uid) {
        try {
            return UUID.fromString(uid).toString().equals(uid);
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    boolean is(Place other, byte[] otherName) {
        int end = nameEnd();
        return place == other && Arrays.equals(name, 0, end, otherName, 0, otherName.length);
    }

    private int nameEnd() {
        for (int i = 0; i < name.length; i++) {
            if (name[i] == NO_NAME) {
                return i;
            }
        }
        return name.length;
    }

    byte[] nameBytes() {
        return Arrays.copyOf(name, nameEnd());
    }

    ObjectKey key() {
        return new ObjectKey(place.name.cluster(), place.name.namespace(), new String(name, 0, nameEnd(), UTF_8));
    }

    String uid() {
        int end = nameEnd();
        return end == name.length
                ? new UUID(uidHigh, uidLow).toString()
                : new String(name, end + 1, name.length - end - 1, UTF_8);
    }

    KeyHolder holder() {
        return new KeyHolder(place.name.cluster() + "/" + key().path(), uid(), Instant.ofEpochSecond(createdSeconds));
    }

    long bytes() {
        return (long) BYTES + name.length;
    }

    /** A claim: a link of the chains of its object and of its key. */
    static final class Claim {
        /** About what one takes with its place in the table. */
        static final int BYTES = 48;

        final Claimant claimant;
        final long high;
        final long low;

        /** Of the same object. */
        @Nullable
        final Claim other;

        /** In the chain of the table of keys, in which those of a key follow each other in no order. */
        @Nullable
        Claim next;

        /** In the same chain. */
        @Nullable
        Claim previous;

        Claim(Claimant claimant, KeyHash key, @Nullable Claim other) {
            this.claimant = claimant;
            this.high = key.high();
            this.low = key.low();
            this.other = other;
        }

        boolean is(KeyHash key) {
            return high == key.high() && low == key.low();
        }

        KeyHash key() {
            return new KeyHash(high, low);
        }
    }
}
