package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import org.junit.jupiter.api.Test;

/** How a feed lists, and how it tries again. */
final class InformerFeedTest extends InformerFeedFixture {
    @Test
    void listThatCannotBeBegun_isTold_andBegunAgain() {
        errorsToCome = 2;

        feed.start();

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Failed.class, failed -> {
            assertThat(failed.types()).containsExactly(HolderType.CRD);
            assertThat(failed.why().message()).contains("/crds could not be started");
        });
        scheduler.pass(SETTINGS.retryMax());
        assertThat(errorsToCome).isZero();
        assertThat(informers).hasSize(1);
    }

    @Test
    void informerThatIsReplacedBeforeItStarts_isNoFailure() {
        beforeStart = () -> feed.start();

        feed.start();

        assertThat(told).isEmpty();
        assertThat(informers).extracting(informer -> informer.stopped).containsExactly(true, false);
        assertThat(informers.getLast().started).isTrue();
    }

    @Test
    void completeList_isTold_withWhatCameWithIt() {
        follow("foos");

        assertThat(told).singleElement().isInstanceOfSatisfying(TypeChange.Complete.class, complete -> {
            assertThat(complete.resourceVersion()).isEqualTo("10");
            assertThat(complete.holders()).extracting(Holder::name).containsExactly("foos");
        });
        assertThat(turns.heldCount()).as("its place is free again").isZero();
        assertThat(feed.silentNanos()).isZero();
    }

    @Test
    void listThatFails_isTold_andTriedAgainAfterAWait_withAnotherInformer() {
        feed.start();

        last().fail(500);

        assertThat(reasons()).containsExactly("UnexpectedAnswer");
        assertThat(last().stopped).isTrue();
        assertThat(turns.heldCount()).as("its place is free again").isZero();
        assertThat(informers).hasSize(1);
        scheduler.pass(SETTINGS.retryFirst().dividedBy(2).minus(MOMENT));
        assertThat(informers).as("half of the first wait at least").hasSize(1);
        scheduler.pass(SETTINGS.retryFirst());
        assertThat(informers).hasSize(2);
        assertThat(last().started).isTrue();
    }

    @Test
    void listsThatFailAgainAndAgain_areTriedLessAndLessOften() {
        feed.start();
        for (int i = 0; i < 20; i++) {
            last().fail(500);
            scheduler.pass(SETTINGS.retryMax());
        }
        int before = informers.size();

        last().fail(500);
        scheduler.pass(SETTINGS.retryMax().dividedBy(2).minus(MOMENT));

        assertThat(informers).hasSize(before);
    }

    @Test
    void serverThatIsHeardAgain_isNotSparedAnyMore() {
        feed.start();
        for (int i = 0; i < 20; i++) {
            last().fail(503);
            scheduler.pass(SETTINGS.retryMax());
        }
        last().fail(503);
        feed.hurry();
        int before = informers.size();

        last().fail(503);
        scheduler.pass(SETTINGS.retryFirst());

        assertThat(informers).hasSize(before + 1);
    }

    @Test
    void listThatTakesTooLong_isGivenUp_andLaterTriedAgain() {
        feed.start();
        FakeInformer slow = last();

        scheduler.pass(SETTINGS.listTimeout().minus(MOMENT));
        assertThat(told).isEmpty();
        scheduler.pass(MOMENT.multipliedBy(2));

        assertThat(reasons()).containsExactly("ListTimeout");
        assertThat(slow.stopped).isTrue();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
        told.clear();
        slow.list("9", "lates");
        assertThat(told)
                .as("what an informer that was given up lists after all")
                .isEmpty();
    }

    @Test
    void listThatIsComplete_isNotGivenUpLater() {
        follow("foos");

        scheduler.pass(SETTINGS.listTimeout().multipliedBy(2));

        assertThat(informers).hasSize(1);
        assertThat(told).hasSize(1);
    }

    @Test
    void whatWasListed_stands_untilTheNextListIsComplete() {
        follow("foos");
        last().fail(500);
        scheduler.pass(WHILE);
        told.clear();

        last().begin();
        last().put("bars", "20");
        assertThat(told).as("half of a list").isEmpty();
        assertThat(feed.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).extracting(Holder::name).containsExactly("foos"));
        last().end("21");

        assertThat(told).singleElement().isInstanceOf(TypeChange.Complete.class);
        assertThat(feed.recount())
                .hasValueSatisfying(
                        holders -> assertThat(holders).extracting(Holder::name).containsExactly("bars"));
    }

    @Test
    void informerThatWasReplaced_tellsNothingMore() {
        follow("foos");
        FakeInformer first = last();
        feed.start();
        assertThat(first.stopped).isTrue();
        first.put("foos", "30");
        assertThat(told).as("its account stands meanwhile").hasSize(1);
        last().list("40", "foos");
        told.clear();

        first.fail(500);

        assertThat(told).isEmpty();
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(2);
    }

    @Test
    void serverThatIsThereAgain_isTriedAtOnce_unlessItAnsweredWithANo() {
        feed.start();
        last().fail(503);
        feed.hurry();
        assertThat(informers).as("it was away").hasSize(2);

        feed.hurry();
        assertThat(informers).as("a list is under way").hasSize(2);
        last().fail(403);
        feed.hurry();
        assertThat(informers).as("it was there, and refused").hasSize(2);
        scheduler.pass(WHILE);
        assertThat(informers).hasSize(3);
    }

    @Test
    void turn_ofAListUnderWay_isTheSameForAllItsPages() {
        feed.start();

        ListLimiter.Turn turn = feed.turn(true);

        assertThat(turn.arrived(1)).isEqualTo(ListLimiter.Reading.NOW);
        assertThat(feed.turn(false)).isSameAs(turn);
    }

    @Test
    void serverThatFailedBefore_getsAPlaceOnlyWhenItAnswers() {
        feed.start();
        last().fail(503);
        scheduler.pass(WHILE);

        assertThat(informers).hasSize(2);
        assertThat(turns.heldCount()).isZero();
        last().fail(503);
        feed.hurry();
        assertThat(turns.heldCount()).as("two failed in a row").isZero();
        last().list("9", "foos");
        feed.start();
        assertThat(turns.heldCount()).as("it answered").isEqualTo(1);
    }

    @Test
    void listThatIsTooLarge_isTriedInSmallerPages() {
        feed.start();
        assertThat(last().limit).isEqualTo(SETTINGS.pageSize());

        last().gone.completeExceptionally(new TooMuchException("a page is too large"));
        scheduler.pass(SETTINGS.retryFirst());

        assertThat(reasons()).containsExactly("AnswerTooLarge");
        assertThat(last().limit).isEqualTo(SETTINGS.pageSize() / 10);
    }

    @Test
    void closedFeed_endsItsInformer_andTellsAndBeginsNothing() {
        follow("foos");
        breakWatch();
        told.clear();

        feed.close();
        assertThat(last().stopped).isTrue();
        last().put("foos", "30");
        last().list("31", "foos");
        last().fail(500);
        feed.start();
        feed.hurry();
        scheduler.pass(SETTINGS.listTimeout());

        assertThat(told).isEmpty();
        assertThat(informers).hasSize(1);
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void closedFeed_thatWaited_waitsNoMore() {
        feed.start();
        last().fail(500);

        feed.close();

        assertThat(scheduler.dueCount()).isZero();
    }
}
