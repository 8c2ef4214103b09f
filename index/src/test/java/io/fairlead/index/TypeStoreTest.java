package io.fairlead.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TypeStoreTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final Duration HALF = TypeStore.GRACE.dividedBy(2);

    private Instant now = Instant.parse("2026-11-21T10:00:00Z");
    private final FleetIndex index = new FleetIndex(IndexLimits.NONE, IndexMetrics.NONE, () -> now);
    private final TypeStore types = index.types();
    private final List<ClusterLedger> clusters = IntStream.range(0, 50)
            .mapToObj(i -> index.open(new ClusterName("c" + i), CRDS))
            .toList();

    @AfterEach
    void consistent() {
        index.assertConsistent();
    }

    @Test
    void typeOfManyClusters_isStoredOnce() {
        clusters.forEach(cluster -> cluster.relist(CRDS, List.of(crd("foos", type("one")), crd("bars", null)), "1"));

        assertThat(types.distinct()).isEqualTo(1);
        assertThat(types.holders()).isEqualTo(50);
        assertThat(types.canonical(digest("one"))).contains("one".getBytes(UTF_8));
        assertThat(index.view(new ClusterName("c7")).orElseThrow().holder(HolderType.CRD, "foos.example.com"))
                .map(Holder::defines)
                .contains(type("one"));
    }

    /** A cluster defines and deletes types faster than the grace time passes. */
    @Test
    void typesWithoutADefinition_takeSoMuchMemory_howeverManyThereWere() {
        Random random = new Random(1);
        byte[] dense = new byte[1 << 20];
        for (int i = 0; i < 100; i++) {
            random.nextBytes(dense);
            StoredType type = types.keep(TypeDigest.of(dense), dense::clone);
            if (i % 2 == 0) {
                Holder held = crd("foos", new DefinedType("example.com", "Foo", type, type.api(), List.of(), true));
                clusters.getFirst().upsert(held);
            }
        }

        assertThat(types.distinct())
                .as("1 MiB each, and the one that is defined")
                .isBetween(2, 9);
        assertThat(types.holders()).isEqualTo(1);
    }

    @Test
    void driftOfOneCluster_isOneMoreType_untilTheGraceTimeAfterItsRepair() {
        clusters.forEach(cluster -> cluster.relist(CRDS, List.of(crd("foos", type("one"))), "1"));

        clusters.getFirst().upsert(crd("foos", type("two")));
        assertThat(types.distinct()).isEqualTo(2);
        clusters.getFirst().upsert(crd("foos", type("one")));
        pass(HALF);
        assertThat(types.distinct()).isEqualTo(2);
        pass(HALF);

        assertThat(types.distinct()).isEqualTo(1);
        assertThat(types.canonical(digest("two"))).isEmpty();
    }

    @Test
    void definitionThatIsNotThatOfTheSource_isFoundByAnAudit() {
        ClusterLedger cluster = clusters.getFirst();
        cluster.relist(CRDS, List.of(crd("foos", type("one"))), "1");

        IndexComparison compared = cluster.compare(List.of(crd("foos", type("two"))));

        assertThat(compared.missing())
                .singleElement()
                .asString()
                .startsWith("definition v1:")
                .contains("by CRD foos");
        assertThat(compared.surplus()).hasSize(1);
    }

    @Test
    void definitionThatComesBackInTime_findsItsStoredType() {
        ClusterLedger cluster = clusters.getFirst();
        DefinedType before = type("one");
        cluster.relist(CRDS, List.of(crd("foos", before)), "1");
        cluster.delete(HolderType.CRD, "foos.example.com", "u", "2");
        pass(HALF);

        StoredType again = types.keep(digest("one"), () -> {
            throw new AssertionError("the bytes are stored already");
        });

        assertThat(again).isSameAs(before.stored());
        pass(HALF);
        assertThat(types.distinct()).as("it was asked for again").isEqualTo(1);
        pass(HALF);
        assertThat(types.distinct()).isZero();
    }

    @Test
    void typeThatWasHeldForLong_isKeptForTheGraceTime_afterItsLastHolderWent() {
        ClusterLedger cluster = clusters.getFirst();
        cluster.relist(CRDS, List.of(crd("foos", type("one"))), "1");
        pass(TypeStore.GRACE.multipliedBy(2));
        cluster.delete(HolderType.CRD, "foos.example.com", "u", "2");

        pass(HALF);
        assertThat(types.distinct()).isEqualTo(1);
        assertThat(types.has(digest("one"))).isTrue();
        pass(HALF);
        assertThat(types.distinct()).isZero();
        assertThat(types.has(digest("one"))).isFalse();
    }

    @Test
    void clusterThatIsClosedOrForgotten_holdsNothing() {
        clusters.get(0).relist(CRDS, List.of(crd("foos", type("one"))), "1");
        clusters.get(1).relist(CRDS, List.of(crd("foos", type("one"))), "1");

        clusters.get(0).close();
        clusters.get(1).nextEpoch();

        assertThat(types.holders()).isZero();
        pass(TypeStore.GRACE);
        assertThat(types.distinct()).isZero();
    }

    @Test
    void holderBeyondTheLimits_doesNotCount() {
        Holder inCoreGroup = new Holder(
                HolderType.CRD,
                "odd",
                "u",
                "1",
                List.of(Contribution.of(new GroupVersion("", "v1"), Set.of("odd"))),
                type("one"),
                "");

        clusters.getFirst().upsert(inCoreGroup);

        assertThat(types.holders()).isZero();
    }

    @Test
    void bytesOfAnyLength_areReadBackAsTheyWere() {
        for (int length : new int[] {0, 1, 100, 100_000}) {
            byte[] bytes = new byte[length];
            new Random(length).nextBytes(bytes);
            TypeDigest api = TypeDigest.of(bytes);

            types.keep(api, () -> bytes);

            assertThat(types.canonical(api)).contains(bytes);
        }
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private DefinedType type(String meaning) {
        StoredType stored = types.keep(digest(meaning), () -> meaning.getBytes(UTF_8));
        return types.shared(new DefinedType(
                "example.com",
                "Foo",
                stored,
                digest("full " + meaning),
                List.of(new DefinedVersion("v1", digest("schema " + meaning))),
                true));
    }

    private static TypeDigest digest(String meaning) {
        return TypeDigest.of(meaning.getBytes(UTF_8));
    }

    private static Holder crd(String plural, @Nullable DefinedType defines) {
        Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural));
        return new Holder(HolderType.CRD, plural + ".example.com", "u", "1", List.of(contribution), defines, "");
    }
}
