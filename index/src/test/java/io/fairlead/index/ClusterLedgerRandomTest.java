package io.fairlead.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.index.RandomFleet.Event;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** After any sequence of events the index equals a recomputation from the CRDs that survive. */
class ClusterLedgerRandomTest {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final ClusterName PROD = new ClusterName("prod");
    private static final int STEPS = 10_000;

    /** What is compared with the surviving CRDs. */
    private interface Subject {
        void tell(Event event);

        boolean serves(GroupVersion groupVersion, String resource);

        void assertConsistent();
    }

    @Test
    void anySequenceOfEvents_equalsARecomputation() {
        long seed = Long.getLong("fuzz.seed", 7);
        System.Logger.Level level = System.Logger.Level.INFO;
        System.getLogger(getClass().getName()).log(level, "seed {0}", Long.toString(seed));
        assertThat(run(new Ledger(), seed)).as("quiet points, seed %d", seed).isGreaterThan(100);
    }

    @Test
    void countingWithoutUids_isCaught() {
        assertThatThrownBy(() -> run(new BareCount(), 42)).isInstanceOf(AssertionError.class);
    }

    @Test
    void assertConsistent_besideAWriter_seesNoChangeHalfMade() {
        FleetIndex index = FleetIndex.create();
        ClusterLedger ledger = index.open(PROD, CRDS);
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            RandomFleet fleet = new RandomFleet(new Random(7));
            while (!enough.get()) {
                Event event = fleet.step();
                if (event instanceof Event.Upserted(Holder holder)) {
                    ledger.upsert(holder);
                }
            }
        });
        try {
            for (int i = 0; i < STEPS; i++) {
                index.assertConsistent();
            }
        } finally {
            enough.set(true);
            writer.join();
        }
    }

    /** Returns at how many quiet points both were equal. */
    private static int run(Subject subject, long seed) {
        RandomFleet fleet = new RandomFleet(new Random(seed));
        int quietPoints = 0;
        for (int i = 0; i < STEPS; i++) {
            Event event = fleet.step();
            if (event != null) {
                subject.tell(event);
            }
            if (fleet.isQuiet()) {
                quietPoints++;
                assertEqual(subject, fleet.surviving(), "seed " + seed + ", step " + i);
            }
        }
        return quietPoints;
    }

    private static void assertEqual(Subject subject, Collection<Holder> surviving, String when) {
        subject.assertConsistent();
        for (GroupVersion groupVersion : RandomFleet.GROUP_VERSIONS) {
            boolean someServe = false;
            for (int crd = 0; crd < 50; crd++) {
                String plural = RandomFleet.plural(crd);
                Contribution contribution = Contribution.of(groupVersion, Set.of(plural));
                boolean serves = surviving.stream()
                        .anyMatch(holder -> holder.contributions().contains(contribution));
                someServe |= serves;
                assertThat(subject.serves(groupVersion, plural))
                        .as("%s/%s, %s", groupVersion, plural, when)
                        .isEqualTo(serves);
            }
            assertThat(subject.serves(groupVersion, ""))
                    .as("%s, %s", groupVersion, when)
                    .isEqualTo(someServe);
        }
    }

    /** The index, with neighbours that come and go and share its vocabulary. */
    private static final class Ledger implements Subject {
        private final FleetIndex index = FleetIndex.create();
        private final ClusterLedger ledger = index.open(PROD, CRDS);
        private final List<ClusterLedger> neighbours = IntStream.range(0, 3)
                .mapToObj(i -> index.open(new ClusterName("neighbour-" + i), CRDS))
                .toList();
        private int told;

        Ledger() {
            ledger.relist(CRDS, Set.of(), "1");
        }

        @Override
        public void tell(Event event) {
            switch (event) {
                case Event.Upserted upserted -> ledger.upsert(upserted.holder());
                case Event.Deleted deleted ->
                    ledger.delete(
                            HolderType.CRD,
                            deleted.holder().name(),
                            deleted.holder().uid(),
                            Long.toString(deleted.resourceVersion()));
                case Event.Listed listed -> {
                    Outcome outcome = ledger.relist(CRDS, listed.holders(), Long.toString(listed.resourceVersion()));
                    assertThat(outcome.effect()).isNotEqualTo(Outcome.Effect.STALE);
                }
            }
            if (++told % 7 == 0) {
                disturbNeighbour();
            }
        }

        @Override
        public boolean serves(GroupVersion groupVersion, String resource) {
            return switch (index.lookup(PROD, groupVersion.group(), groupVersion.version(), resource)) {
                case SERVED -> true;
                case ABSENT -> false;
                case UNKNOWN -> throw new AssertionError("unknown, although synced");
            };
        }

        @Override
        public void assertConsistent() {
            index.assertConsistent();
        }

        private void disturbNeighbour() {
            String group = "n" + told % 11 + ".example.com";
            Contribution contribution = Contribution.of(new GroupVersion(group, "v1"), Set.of("ns"));
            Holder holder = new Holder(HolderType.CRD, "ns." + group, "u" + told, "", List.of(contribution));
            ClusterLedger neighbour = neighbours.get(told % neighbours.size());
            neighbour.relist(CRDS, told % 2 == 0 ? Set.of() : Set.of(holder), "");
        }
    }

    /** What goes wrong everywhere: a number for each key, and no memory of who counted. */
    private static final class BareCount implements Subject {
        private final Map<String, Integer> counts = new HashMap<>();

        @Override
        public void tell(Event event) {
            switch (event) {
                case Event.Upserted upserted -> count(upserted.holder(), 1);
                case Event.Deleted deleted -> count(deleted.holder(), -1);
                case Event.Listed listed -> {
                    counts.clear();
                    listed.holders().forEach(holder -> count(holder, 1));
                }
            }
        }

        private void count(Holder holder, int by) {
            holder.contributions()
                    .forEach(contribution ->
                            counts.merge(contribution.groupVersion().apiVersion(), by, Integer::sum));
        }

        @Override
        public boolean serves(GroupVersion groupVersion, String resource) {
            return counts.getOrDefault(groupVersion.apiVersion(), 0) > 0;
        }

        @Override
        public void assertConsistent() {}
    }
}
