package io.fairlead.index.conditions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.testkit.LiveHeap;
import java.lang.ref.Reference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a record takes of the heap, beside what it says that it takes. */
class ConditionStoreFootprintTest {
    private static final int PODS = 10_000;
    private static final int TRANSITIONS = 3;
    private static final long MIB = 1 << 20;
    private static final Instant BEGIN = Instant.parse("2026-01-02T10:00:00Z");

    /** The last is the longest that the API conventions allow, of characters that take two bytes each. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubelet",
                "ффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффффф"
            })
    void tenThousandPods_takeWhatIsCountedForThem(String manager) {
        ConditionStore store = new ConditionStore(List.of("Ready"), 256 * MIB);
        long before = LiveHeap.bytes();
        try {
            fill(store, manager);
            long taken = LiveHeap.bytes() - before;

            System.getLogger(getClass().getName())
                    .log(System.Logger.Level.INFO, "{0} pods take {1} bytes, counted {2}", PODS, taken, store.bytes());
            assertThat(store.evicted()).isZero();
            assertThat(store.bytes()).isBetween(taken, 2 * taken);
        } finally {
            Reference.reachabilityFence(store);
        }
    }

    private static void fill(ConditionStore store, String manager) {
        ClusterName cluster = new ClusterName("prod");
        for (int transition = 0; transition < TRANSITIONS; transition++) {
            Instant now = BEGIN.plusSeconds(60L * transition);
            for (int pod = 0; pod < PODS; pod++) {
                ConditionClaim claim = new ConditionClaim(
                        read(transition % 2 == 0 ? "True" : "False"),
                        now.plusMillis(1000).toString(),
                        Integer.toString(100_000 + transition * PODS + pod),
                        read(manager));
                ObjectKey key = new ObjectKey(cluster, "shop", "web-7d9c6b8f5-" + pod);
                store.seen(key, new UUID(7, pod).toString(), Map.of("Ready", claim), claim.resourceVersion(), now);
            }
        }
    }

    /** Texts of answers share no memory. */
    private static String read(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }
}
