package io.fairlead.clustersync;

import static io.fairlead.clustersync.FakeApiServer.API_SERVICES;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.http.FieldName;
import io.fairlead.index.HolderType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a source confirms what it knows when a watch breaks, is quiet, or is in doubt. */
final class KubernetesTypeDoubtTest extends KubernetesTypeSourceFixture {
    @Test
    void watchThatEnds_isNotHeardAnyMore_andLostAfterAWhile() {
        TypeSource.Feed feed = followed();

        last(CRDS).finish();

        assertThat(feed.silentNanos()).isBetween(1L, Long.MAX_VALUE - 1);
        scheduler.pass(LOST_AFTER);
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Lost.class, lost -> assertThat(lost.types()).containsExactly(HolderType.CRD));
    }

    @Test
    void watchThatBreaks_leavesWhatIsKnownInDoubt() {
        TypeSource.Feed feed = followed();

        last(API_SERVICES).fail(RESET);

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void wordAfterTooLongASilence_hasItsKindListedAnew() {
        followed();
        scheduler.pass(TOO_QUIET);
        int before = upstream.calls().size();

        last(CRDS).say(event("MODIFIED", "apiextensions.k8s.io/v1", "CustomResourceDefinition", versioned("12")));

        assertThat(upstream.calls()).hasSize(before + 1);
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
    }

    @Test
    void clusterThatIsAway_isToBeLookedFor_whicheverWatchBroke() {
        for (String path : List.of(CRDS, API_SERVICES)) {
            try (TypeSource.Feed feed = followed()) {
                last(path).finish();
                assertThat(feed.look()).as("at once").isFalse();

                scheduler.pass(Duration.ofSeconds(3));

                assertThat(feed.look()).as(path).isTrue();
            }
        }
    }

    @Test
    void quietWatches_areConfirmedByCensuses() {
        TypeSource.Feed feed = followed();
        scheduler.pass(QUIET);
        int before = upstream.calls().size();

        assertThat(feed.look()).isFalse();

        assertThat(upstream.calls()).hasSize(before + 2);
        assertThat(last(CRDS).head().fields().get(FieldName.ACCEPT)).contains("PartialObjectMetadataList");
        last(CRDS).answer(200, list("20", "", foos()));
        last(API_SERVICES).answer(200, list("20", "", apps()));
        scheduler.pass(TOO_QUIET.minus(QUIET));
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void doubt_isOfTheKindThatWasChanged_untilACensusSettlesIt() {
        TypeSource.Feed feed = followed();
        int before = upstream.calls(CRDS).size();
        int beforeOfOthers = upstream.calls(API_SERVICES).size();

        feed.doubt(HolderType.CRD);

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(upstream.calls(API_SERVICES)).hasSize(beforeOfOthers);
        last(CRDS).answer(200, list("20", "", foos()));
        assertThat(feed.silentNanos()).isZero();

        feed.doubt(HolderType.BUILT_IN);
        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(upstream.calls(API_SERVICES)).hasSize(beforeOfOthers + 1);
    }

    @Test
    void censusOfAnotherHistory_isTold() {
        TypeSource.Feed feed = followed();
        feed.doubt(HolderType.CRD);

        last(CRDS).answer(200, list("5", "", foos()));

        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Replaced.class,
                        replaced -> assertThat(replaced.why())
                                .isEqualTo(
                                        "the list of " + CRDS + ": it is at resourceVersion 5 and was at 10 before"));
    }

    @Test
    void doubtThatNoCensusCanSettle_hasItsKindListedAnew() {
        TypeSource.Feed feed = followed();
        feed.doubt(HolderType.CRD);
        int before = upstream.calls(CRDS).size();

        last(CRDS).answer(500, "{}");

        assertThat(upstream.calls(CRDS)).hasSize(before + 1);
        assertThat(last(CRDS).head().target()).doesNotContain("watch=true");
        last(CRDS).answer(200, list("20", "", foos()));
        last(CRDS).begin(200);
        assertThat(feed.silentNanos()).isZero();
    }
}
