package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
    private static final int SIZE = 1 << 24;

    @Test
    void reachableBytes_count() {
        long before = LiveHeap.bytes();
        byte[] kept = new byte[SIZE];
        try {
            assertThat(LiveHeap.bytes() - before).isBetween(SIZE * 9L / 10, SIZE * 11L / 10);
        } finally {
            Reference.reachabilityFence(kept);
        }
    }
}
