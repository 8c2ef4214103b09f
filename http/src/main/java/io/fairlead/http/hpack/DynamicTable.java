package io.fairlead.http.hpack;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The dynamic table of a decoder (RFC 7541 sections 2.3.2 and 4): the newest entry has index 1. */
final class DynamicTable {
    private @Nullable TableEntry[] ring = new TableEntry[8];
    private int newest = -1;
    private int entries;
    private int bytes;
    private int bytesMax;

    DynamicTable(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    int entries() {
        return entries;
    }

    /** From 1 to {@link #entries()}. */
    TableEntry get(int index) {
        TableEntry entry = ring[Math.floorMod(newest - (index - 1), ring.length)];
        if (entry == null || index > entries) {
            throw new IndexOutOfBoundsException(index);
        }
        return entry;
    }

    /** Evicts what has no room any more (section 4.3). */
    void resize(int newBytesMax) {
        bytesMax = newBytesMax;
        evictFor(0);
    }

    /** Evicts for an entry of a size; one larger than the table empties it and has no room (section 4.4). */
    boolean makeRoom(int size) {
        evictFor(size);
        return size <= bytesMax;
    }

    /** Adds what {@link #makeRoom} made room for. */
    void add(TableEntry entry) {
        if (entries == ring.length) {
            grow();
        }
        newest = (newest + 1) % ring.length;
        ring[newest] = entry;
        entries++;
        bytes += entry.size();
    }

    private void evictFor(int more) {
        while (entries > 0 && bytes + more > bytesMax) {
            bytes -= get(entries).size();
            ring[Math.floorMod(newest - (entries - 1), ring.length)] = null;
            entries--;
        }
    }

    private void grow() {
        @Nullable TableEntry[] larger = new TableEntry[2 * ring.length];
        for (int i = 0; i < entries; i++) {
            larger[i] = get(entries - i);
        }
        newest = entries - 1;
        ring = larger;
    }

    @Override
    public String toString() {
        return entries + " entries of " + bytes + " bytes in " + Arrays.toString(ring);
    }
}
