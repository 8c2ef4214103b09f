package io.fairlead.benchmarks.index;

import java.lang.ref.Reference;
import java.util.function.Supplier;

/** Bytes of heap for each entry of an index: what is in use after collections, with it and without it. */
final class Footprint {
    private Footprint() {}

    static double bytesPerEntry(FleetShape shape, Supplier<MeasuredIndex> index) {
        long before = usedBytes();
        MeasuredIndex built = index.get();
        try {
            return (double) (usedBytes() - before) / shape.entries();
        } finally {
            Reference.reachabilityFence(built);
        }
    }

    private static long usedBytes() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            used = Math.min(
                    used,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return used;
    }
}
