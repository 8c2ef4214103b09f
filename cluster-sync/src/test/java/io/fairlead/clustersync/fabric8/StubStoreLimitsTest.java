package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.HolderType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How much a store keeps of what a cluster defines. */
class StubStoreLimitsTest {
    private static final int OBJECTS_MAX = 1_000;
    private static final int VERSIONS_MAX = 256;
    private static final long KEPT_BYTES_MAX = 64 << 20;

    private final List<TypeChange> changes = new ArrayList<>();
    private final List<TooMuchException> excesses = new ArrayList<>();
    private final Set<String> reached = new HashSet<>();
    private final KeptTypes kept = new KeptTypes(new AnswerLimits(
            Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, AnswerLimits.Kept.ofAll(KEPT_BYTES_MAX), reached::add));
    private final StubStore<CrdObject> store = new StubStore<>(
            Set.of(HolderType.CRD),
            OBJECTS_MAX,
            kept.ofStore(),
            crd -> Claims.of(crd, VERSIONS_MAX, ""),
            _ -> "",
            CrdObject::new,
            _ -> {},
            changes::add);

    @Test
    void moreObjectsThanMayBeIndexed_areTooMuch() {
        for (int i = 0; i < OBJECTS_MAX; i++) {
            put(crd("r" + i, "u", ""));
        }

        put(crd("r0", "u", ""));
        assertThatThrownBy(() -> put(crd("one more", "u", "")))
                .isInstanceOf(TooMuchException.class)
                .hasMessageContaining("more than " + OBJECTS_MAX);
    }

    /** An exception would end as a trace on standard error, and the watch would go on. */
    @Test
    void watchThatBringsMoreObjectsThanMayBeIndexed_isLeft() {
        store.fedBy(() -> "10", excesses::add);
        put(crd("r0", "u", "9"));
        store.listed("10");
        for (int i = 1; i < OBJECTS_MAX; i++) {
            put(crd("r" + i, "u", "" + (10 + i)));
        }
        changes.clear();

        put(crd("one more", "u", "5000"));
        put(crd("another", "u", "5001"));
        put(crd("r0", "u", "5002"));

        assertThat(excesses)
                .singleElement()
                .satisfies(tooMuch -> assertThat(tooMuch.said()).contains("more than " + OBJECTS_MAX));
        assertThat(changes).isEmpty();
        assertThat(store.recount())
                .hasValueSatisfying(holders -> assertThat(holders).hasSize(OBJECTS_MAX));
    }

    @Test
    void versionsOfAllObjects_mayTakeSoMuchMemory_inAListAndInAWatch() {
        CrdObject vast = vast("vast-0");
        int fit = (int) (KEPT_BYTES_MAX
                / 4
                / Claims.of(vast, VERSIONS_MAX, "").orElseThrow().heapBytes());

        assertThatThrownBy(() -> putVast(0, OBJECTS_MAX))
                .isInstanceOf(TooMuchException.class)
                .hasMessageContaining(AnswerLimits.KEPT_BYTES_PER_CLUSTER);
        assertThat(store.size()).isBetween(fit - 1, fit);
        assertThat(reached).containsExactly(AnswerLimits.KEPT_BYTES_PER_CLUSTER);
        store.fedBy(() -> "10", excesses::add);
        store.remove(store.getKey(vast));
        store.listed("10");
        putVast(OBJECTS_MAX, OBJECTS_MAX + 1);
        assertThat(excesses).as("in the place of another").isEmpty();
        putVast(OBJECTS_MAX + 1, OBJECTS_MAX + 2);

        assertThat(excesses)
                .singleElement()
                .satisfies(tooMuch -> assertThat(tooMuch.said()).contains(AnswerLimits.KEPT_BYTES_PER_CLUSTER));
    }

    @Test
    void storesOfAllClusters_mayTakeSoMuchMemory_untilAnotherTakesTheirPlace() {
        var others = List.of(kept.ofStore(), kept.ofStore(), kept.ofStore(), kept.ofStore());
        others.forEach(other -> assertThat(other.add(KEPT_BYTES_MAX / 4)).isEmpty());

        assertThatThrownBy(() -> put(crd("foos", "u", "")))
                .isInstanceOf(TooMuchException.class)
                .hasMessageContaining(AnswerLimits.KEPT_BYTES + ")");
        others.getFirst().close();
        put(crd("foos", "u", ""));
        store.mute();

        assertThat(kept.ofStore().add(KEPT_BYTES_MAX / 4)).isEmpty();
        assertThat(kept.ofStore().add(1)).isPresent();
    }

    private void putVast(int from, int to) {
        for (int i = from; i < to; i++) {
            put(vast("vast-" + i));
        }
    }

    private static CrdObject vast(String name) {
        CrdObject crd = crd(name, "u", "");
        List<CrdObject.@Nullable ServedVersion> versions = IntStream.range(0, VERSIONS_MAX)
                .<CrdObject.@Nullable ServedVersion>mapToObj(i -> new CrdObject.ServedVersion(name + "v" + i, true))
                .toList();
        crd.setSpec(new CrdObject.Spec(
                new CrdObject.ServedSpec("g".repeat(60), new CrdObject.Names(name), versions), null));
        crd.setStatus(new CrdObject.Status(List.of(new CrdObject.Condition("Established", "True"))));
        return crd;
    }

    private void put(CrdObject crd) {
        store.put(store.getKey(crd), crd);
    }

    private static CrdObject crd(String name, String uid, String resourceVersion) {
        CrdObject crd = new CrdObject();
        crd.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withUid(uid)
                .withResourceVersion(resourceVersion)
                .build());
        return crd;
    }
}
