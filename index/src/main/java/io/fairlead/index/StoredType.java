package io.fairlead.index;

import static java.util.zip.Deflater.BEST_SPEED;

import io.fairlead.model.TypeDigest;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The canonical bytes of a type, compressed, under the digest of its API. Only {@link TypeStore#keep} creates one, so
 * that there is one for each digest. Equality is that of the digests.
 */
public final class StoredType {
    private final TypeDigest api;
    private final byte[] deflated;
    private final int length;

    /** The number of holders that define it; under the store's lock, like the time. */
    int holders;

    /** Since when there is none. */
    long unheldSinceMillis;

    StoredType(TypeDigest api, byte[] canonical) {
        this.api = api;
        this.length = canonical.length;
        this.deflated = deflate(canonical);
    }

    /** The digest of the API. */
    public TypeDigest api() {
        return api;
    }

    /** The canonical bytes. */
    public byte[] canonical() {
        try (Inflater inflater = new Inflater(true)) {
            inflater.setInput(deflated);
            byte[] canonical = new byte[length];
            int done = 0;
            while (done < length) {
                int more = inflater.inflate(canonical, done, length - done);
                if (more == 0) {
                    throw new AssertionError("index: the bytes of type " + api + " end after " + done);
                }
                done += more;
            }
            return canonical;
        } catch (DataFormatException e) {
            throw new AssertionError("index: the bytes of type " + api + " cannot be inflated", e);
        }
    }

    /** Its size in bytes while idle. */
    int size() {
        return deflated.length;
    }

    /** Its size divided by the holders that define it, or by how many there were a moment ago. */
    int partBytes() {
        return deflated.length / Math.max(1, holders);
    }

    private static byte[] deflate(byte[] canonical) {
        try (Deflater deflater = new Deflater(BEST_SPEED, true)) {
            deflater.setInput(canonical);
            deflater.finish();
            byte[] room = new byte[canonical.length / 4 + 64];
            int done = 0;
            while (!deflater.finished()) {
                if (done == room.length) {
                    room = Arrays.copyOf(room, room.length * 2);
                }
                done += deflater.deflate(room, done, room.length - done);
            }
            return Arrays.copyOf(room, done);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredType type && api.equals(type.api);
    }

    @Override
    public int hashCode() {
        return api.hashCode();
    }

    @Override
    public String toString() {
        return api.text();
    }
}
