package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.InformerDecision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a feed makes of a watch that breaks, is quiet, or begins anew. */
final class InformerFeedWatchTest extends InformerFeedFixture {
    @Test
    void watchThatBreaks_isLostAfterAWhile_andCurrentWhenOneStandsAgain() {
        follow("foos");
        told.clear();

        breakWatch();
        scheduler.pass(SETTINGS.lostAfter().minus(MOMENT));
        assertThat(told).isEmpty();
        scheduler.pass(MOMENT);

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Lost.class, lost -> {
            assertThat(lost.types()).containsExactly(HolderType.CRD);
            assertThat(lost.why().reason()).isEqualTo("WatchLost");
            assertThat(lost.why().message()).contains("/crds", "30 s");
        });
        told.clear();
        watch("10");
        assertThat(told).hasSize(1).first().isInstanceOf(TypeChange.Current.class);
        assertThat(informers).as("after a lapse only a complete list counts").hasSize(2);
        watch("10");
        assertThat(told).as("it is current already").hasSize(1);
    }

    @Test
    void watchThatBringsMoreThanMayBeKept_isLeft_andBegunAgainWithALongWait() {
        follow("foos");
        told.clear();

        for (int i = 0; i < 40; i++) {
            last().put("r" + i, Integer.toString(11 + i));
        }
        breakWatch();
        scheduler.pass(SETTINGS.lostAfter());

        assertThat(last().stopped).isTrue();
        assertThat(told).filteredOn(TypeChange.Upserted.class::isInstance).hasSizeBetween(10, 20);
        assertThat(told)
                .filteredOn(TypeChange.Failed.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        TypeChange.Failed.class,
                        failed -> assertThat(failed.why().reason()).isEqualTo("AnswerTooLarge"));
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        TypeChange.Lost.class,
                        lost -> assertThat(lost.why().message()).contains(AnswerLimits.KEPT_BYTES_PER_CLUSTER));
        assertThat(informers).hasSize(1);
        scheduler.pass(Duration.ofMinutes(5));
        assertThat(informers).hasSize(2);
    }

    @Test
    void watchThatStandsAgainInTime_isNeverLost() {
        follow("foos");
        told.clear();

        breakWatch();
        scheduler.pass(SETTINGS.lostAfter().minus(MOMENT));
        watch("10");
        scheduler.pass(SETTINGS.lostAfter());

        assertThat(told).isEmpty();
        assertThat(informers).hasSize(1);
    }

    @Test
    void watchThatStaysBroken_isHurried_onceItsInformerHadItsTime() {
        follow("foos");
        breakWatch();

        scheduler.pass(Duration.ofSeconds(2));
        feed.hurry();
        assertThat(informers).as("fabric8 tries by itself").hasSize(1);
        assertThat(feed.look()).isFalse();
        scheduler.pass(MOMENT);
        assertThat(feed.look()).as("it is away").isTrue();
        feed.hurry();

        assertThat(informers).hasSize(2);
    }

    @Test
    void clusterThatIsAway_isLookedFor_forTenMinutes() {
        follow("foos");
        assertThat(feed.look()).isFalse();
        breakWatch();

        scheduler.pass(Duration.ofMinutes(10));
        assertThat(feed.look()).isTrue();
        scheduler.pass(MOMENT);
        assertThat(feed.look()).isFalse();
    }

    @Test
    void clusterThatIsClosed_isNotLookedFor() {
        follow("foos");
        breakWatch();
        scheduler.pass(Duration.ofMinutes(1));

        feed.close();

        assertThat(feed.look()).isFalse();
    }

    @Test
    void watchThatWasQuietForTooLong_isReplacedByANewList() {
        follow("foos");

        scheduler.pass(Duration.ofSeconds(90));
        feed.heard();
        assertThat(informers).hasSize(1);
        scheduler.pass(Duration.ofSeconds(90).plus(MOMENT));
        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        feed.heard();

        assertThat(informers).hasSize(2);
        last().list("20", "foos");
        watch("20");
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void quietWatch_isConfirmedByACensus() {
        follow("foos");
        int before = censuses;

        feed.look();
        assertThat(censuses).isEqualTo(before);
        scheduler.pass(Duration.ofSeconds(76));
        feed.look();

        assertThat(censuses).isEqualTo(before + 1);
    }

    @Test
    void doubt_lastsUntilItIsSettled() {
        follow("foos");

        feed.doubt();

        assertThat(feed.silentNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(censuses).isPositive();
        feed.start();
        last().list("30", "foos");
        assertThat(feed.silentNanos()).as("a list that began after the doubt").isZero();
    }

    @Test
    void historyThatTheServerForgot_isListedByTheSameInformer_ifTheLastListWasOfUse() {
        follow("foos");
        scheduler.pass(STEADY);

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NOW);
        assertThat(feed.turn(false)).as("of the next page").isSameAs(turn);
        assertThat(informers).hasSize(1);
        last().list("50", "foos", "bars");
        assertThat(feed.recount())
                .hasValueSatisfying(holders -> assertThat(holders).hasSize(2));
        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NEVER);
    }

    @Test
    void pageOfAList_thatComesBeforeItsBeginIsTold_isNoChangeFromThePast() {
        follow("foos");
        scheduler.pass(STEADY);
        ListLimiter.Turn turn = feed.turn(true);

        last().put("foos", "9");
        last().begin();
        last().put("bars", "10");
        last().end("10");

        assertThat(travels).isEmpty();
        assertThat(informers).hasSize(1);
        assertThat(feed.recount())
                .hasValueSatisfying(holders ->
                        assertThat(holders).extracting(Holder::resourceVersion).containsExactly("9", "10"));
        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NEVER);
    }

    @Test
    void watchThatGoesBack_isListedAnewAtOnce_andAfterAWaitIfThatComesAgain() {
        follow("foos");
        scheduler.pass(STEADY);
        told.clear();

        last().put("foos", "9");
        assertThat(travels).containsExactly(InformerDecision.REWIND);
        assertThat(informers).hasSize(2);
        last().list("11", "foos");
        watch("11");
        last().put("foos", "10");

        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        TypeChange.Failed.class,
                        failed -> assertThat(failed.why().reason()).isEqualTo(ListFailure.WENT_BACKWARDS));
        assertThat(last().stopped).isTrue();
        assertThat(informers).hasSize(2);
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(3);
    }

    @Test
    void watch_resumesFromTheHighWaterMark() {
        assertThat(feed.watchBegins("5")).as("there is no list").isEqualTo("5");
        follow("foos");

        assertThat(feed.watchBegins("5")).isEqualTo("10");
        assertThat(feed.watchBegins("12")).isEqualTo("12");
    }

    @Test
    void historyThatTheServerForgetsAgainAndAgain_isListedAfterAWait() {
        follow("foos");
        told.clear();

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NEVER);
        assertThat(reasons()).containsExactly(ListFailure.TOO_SOON);
        assertThat(last().stopped).isTrue();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
    }
}
