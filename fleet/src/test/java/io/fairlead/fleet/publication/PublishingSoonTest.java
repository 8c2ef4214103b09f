package io.fairlead.fleet.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.publication.Peers.Peer;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How soon a publication is complete, and how soon a target notices that its backend answers again. */
final class PublishingSoonTest {
    private static final String API_SERVICE = FakeTarget.API_SERVICES + "/v1.example.com";

    private final FakeTarget target = new FakeTarget();
    private final FakeSource source = new FakeSource();

    /** The target says of its APIServices what it said before. */
    private Progress look() throws InterruptedException {
        Publication publication = PublishingTest.publication("p", "example.com", "v1");
        Peers alone = new Peers(new ClusterName("prod"), List.of(new Peer(publication, false)));
        return new Publishing(publication, alone, "us", new TargetApi(target), source).look();
    }

    @Test
    void withoutAnythingInTheWay_twoLooksPublish() throws Exception {
        Progress first = look();
        target.aggregate();
        Progress second = look();

        assertThat(first.isDone(Step.PROBE)).isTrue();
        assertThat(second.problem()).isEmpty();
        assertThat(target.changes)
                .containsExactly("POST " + FakeTarget.SERVICE, "POST " + FakeTarget.SLICE, "POST " + API_SERVICE);
    }

    @Test
    void apiServiceWhoseBackendAnswersAgain_isTouchedOnceForEachOutage() throws Exception {
        look();
        target.aggregate();
        look();
        target.changes.clear();
        List<String> touched = List.of("PUT " + API_SERVICE);

        unavailableSince("2026-03-01T09:00:00Z");
        source.failure = Optional.of(new StepFailure("FailedDiscoveryCheck", "it does not answer"));
        Progress silent = look();
        assertThat(silent.isDone(Step.AVAILABLE)).isFalse();
        assertThat(target.changes).isEmpty();

        source.failure = Optional.empty();
        look();
        Progress answering = look();
        assertThat(answering.of(Step.AVAILABLE).orElseThrow().reason()).isEqualTo("FailedDiscoveryCheck");
        assertThat(target.changes).isEqualTo(touched);
        assertThat(target.withoutLook).isEmpty();

        unavailableSince("2026-03-01T10:00:00Z");
        look();
        look();
        assertThat(target.changes).hasSize(2);
    }

    private void unavailableSince(String time) {
        target.at(API_SERVICE)
                .withObjectProperty("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Available")
                .put("status", "False")
                .put("reason", "FailedDiscoveryCheck")
                .put("lastTransitionTime", time);
    }

    /** As in a target whose API servers lag behind each other. */
    @Test
    void whatIsMadeAndNotSeen_isAwaited() throws Exception {
        target.interference = (call, isDone) -> {
            if (call.equals("GET " + FakeTarget.SERVICE)) {
                target.objects.remove(FakeTarget.SERVICE);
            }
        };

        Progress first = look();

        assertThat(first.of(Step.SERVICE).orElseThrow().reason()).isEqualTo("ServiceNotFound");
        assertThat(target.has(FakeTarget.SLICE)).isFalse();
    }
}
