package io.fairlead.fleet.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.publication.Peers.Peer;
import io.fairlead.model.ClusterName;
import io.fairlead.testkit.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random histories of two publications with one backend in one target: calls that fail before or behind what they do,
 * deletions by hand, objects of others, a source that comes and goes, and ends of the process between any two calls.
 * {@code -Dtest.histories} says how many, {@code -Dtest.seed} begins with another one.
 */
final class PublicationSimulationTest {
    private static final ClusterName CLUSTER = new ClusterName("target");
    private static final int STEPS = 40;
    private static final int LOOKS_TO_SETTLE = 24;

    private static final List<String> OWN = List.of(
            FakeTarget.SERVICE,
            FakeTarget.SLICE,
            FakeTarget.API_SERVICES + "/v1.example.com",
            FakeTarget.API_SERVICES + "/v2.example.com",
            FakeTarget.API_SERVICES + "/v1.other.example.com");

    /** A history, which its seed repeats. */
    private static final class History {
        final SplittableRandom chance;
        final FakeTarget target = new FakeTarget();
        final FakeSource source = new FakeSource();
        final List<Publication> publications = List.of(
                PublishingTest.publication("a", "example.com", "v1", "v2"),
                PublishingTest.publication("b", "other.example.com", "v1"));

        /** Whether something of each may be registered, as its status says. */
        final boolean[] registered = new boolean[2];

        final Map<String, ObjectNode> strangers;
        boolean isCalm;

        History(long seed) {
            chance = new SplittableRandom(seed);
            if (chance.nextInt(4) == 0) {
                String path = OWN.get(chance.nextInt(OWN.size()));
                target.put(path, object -> object.put("of", "others"));
                strangers = Map.of(path, target.at(path).deepCopy());
            } else {
                strangers = Map.of();
            }
            target.interference = (call, isDone) -> {
                if (isCalm) {
                    return;
                }
                handsOn();
                if (chance.nextInt(12) == 0) {
                    throw new CallFailure(0, "Timeout", "no answer");
                }
                if (chance.nextInt(40) == 0) {
                    throw new ProcessEnd();
                }
            };
        }

        /** What people do meanwhile, and what the aggregation layer sees. */
        private void handsOn() {
            if (chance.nextInt(30) == 0) {
                String path = OWN.get(chance.nextInt(OWN.size()));
                if (!strangers.containsKey(path)) {
                    target.remove(path);
                }
            }
            if (chance.nextInt(20) == 0) {
                source.failure = chance.nextBoolean()
                        ? Optional.of(new StepFailure("FailedDiscoveryCheck", "it does not answer"))
                        : Optional.empty();
            }
            target.aggregate();
        }

        void look(int which, boolean isWithdrawn) throws InterruptedException {
            Publication publication = publications.get(which);
            Peers peers = new Peers(CLUSTER, peers(isWithdrawn));
            TargetApi api = new TargetApi(target);
            try {
                Progress progress = isWithdrawn
                        ? new Withdrawal(publication, peers, "us", api).look()
                        : new Publishing(publication, peers, "us", api, source).look();
                progress.registered().ifPresent(now -> registered[which] = now);
            } catch (ProcessEnd ended) {
                // What was observed is lost; the next look is another process's.
            }
        }

        private List<Peer> peers(boolean isWithdrawn) {
            List<Peer> peers = new ArrayList<>();
            for (int which = 0; which < publications.size(); which++) {
                Publication one = publications.get(which);
                peers.add(new Peer(isWithdrawn ? deleted(one) : one, registered[which]));
            }
            return peers;
        }

        private static Publication deleted(Publication one) {
            return new Publication(
                    one.name(),
                    one.uid(),
                    one.created(),
                    true,
                    one.isRequired(),
                    one.target(),
                    one.group(),
                    one.versions(),
                    one.groupPriority(),
                    one.source(),
                    one.backend(),
                    one.types(),
                    one.caBundle());
        }

        /** A person may delete the Service behind the last look at it; before the APIService is stored it is looked at. */
        private void requireOrder() {
            assertThat(target.withoutLook)
                    .filteredOn(path -> !strangers.containsKey(path))
                    .isEmpty();
        }

        /** The whole of it: chance, then calm, then the withdrawal of both. */
        void run() throws InterruptedException {
            for (int step = 0; step < STEPS; step++) {
                look(chance.nextInt(2), false);
                requireStrangers();
            }
            calm();
            settle(false);
            if (strangers.isEmpty()) {
                assertThat(target.objects.keySet()).containsExactlyInAnyOrderElementsOf(OWN);
                assertThat(target.objects.values())
                        .allSatisfy(object ->
                                assertThat(PublishedObject.isOf(object, "us")).isTrue());
            }
            isCalm = false;
            for (int step = 0; step < STEPS; step++) {
                look(chance.nextInt(2), true);
                requireStrangers();
            }
            calm();
            settle(true);
            requireOrder();
            assertThat(target.objects).isEqualTo(strangers);
        }

        private void calm() {
            isCalm = true;
            source.failure = Optional.empty();
            target.aggregate();
        }

        private void settle(boolean isWithdrawn) throws InterruptedException {
            for (int look = 0; look < LOOKS_TO_SETTLE; look++) {
                look(look % 2, isWithdrawn);
                target.aggregate();
            }
            requireStrangers();
        }

        private void requireStrangers() {
            strangers.forEach((path, object) -> assertThat(target.objects).containsEntry(path, object));
        }
    }

    /** The end of the process. */
    private static final class ProcessEnd extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Proves that the check of every history can fail. */
    @Test
    void withoutItsGuard_anApiServiceHasNoBackend_andThatIsSeen() throws Exception {
        FakeTarget target = new FakeTarget();
        Publication publication = PublishingTest.publication("a", "example.com", "v1");
        PublishedObject apiService =
                PublishedObject.apiService(publication, publication.versions().getFirst(), "ca", "us");
        TargetApi api = new TargetApi(target);
        api.create(
                "/api/v1/namespaces/apis/services",
                PublishedObject.service(publication.backend(), "us").wanted());
        var _ = api.get(FakeTarget.SERVICE);
        var _ = api.get(apiService.path());

        api.create(apiService.collection(), apiService.wanted());

        assertThat(target.withoutLook).containsExactly(apiService.path());
        assertThat(target.withoutBackend).containsExactly(apiService.path());
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void noHistoryBreaksAnything() throws InterruptedException {
        long first = Long.getLong("test.seed", 1);
        int histories = Integer.getInteger("test.histories", Effort.rounds(1) == 1 ? 2_000 : 100_000);
        int registered = 0;
        int withStrangers = 0;
        for (long seed = first; seed < first + histories; seed++) {
            History history = new History(seed);
            try {
                history.run();
            } catch (AssertionError broken) {
                throw new AssertionError("-Dtest.histories=1 -Dtest.seed=" + seed, broken);
            }
            withStrangers += history.strangers.size();
            registered += (int) history.target.changes.stream()
                    .filter(change -> change.startsWith("POST " + FakeTarget.API_SERVICES))
                    .count();
        }
        assertThat(registered).as("the histories get as far as that").isGreaterThan(histories);
        assertThat(withStrangers).as("histories with objects of others").isBetween(histories / 5, histories / 3);
    }
}
