package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fairlead.http.MutableFields;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How an answer is handed over, and how it ends. */
final class BodyReaderTest extends BodyReaderFixture {
    @Test
    void head_isAnAnswer_whoseBodyIsNotReadBeforeItIsAskedFor() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        assertThat(response).isNotDone();

        call().begin(404, new MutableFields().add("X-Of", "a").add("x-of", "b"));

        HttpResponse<AsyncBody> answer = response.join();
        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.headers("X-OF")).containsExactly("a", "b");
        assertThat(answer.request().uri().getPath()).isEqualTo(CRDS);
        assertThat(answer.previousResponse()).isEmpty();
        assertThat(answer.body().done()).isNotDone();
        assertThat(call().isReading()).isFalse();
    }

    @Test
    void eachAskingForMore_bringsOneBatch() {
        AsyncBody body = begun();

        body.consume();
        assertThat(call().isReading()).isTrue();
        assertThat(got).isEmpty();
        call().say("one");
        assertThat(got).containsExactly("one");

        call().say("two");
        call().say("3");
        assertThat(got).as("not asked for").containsExactly("one");
        assertThat(call().isReading()).as("the rest is left to the transport").isFalse();
        body.consume();
        assertThat(got).containsExactly("one", "two3");
        assertThat(call().isReading()).isFalse();
        body.consume();
        assertThat(call().isReading()).isTrue();
    }

    @Test
    void end_isToldOnceAllIsRead() {
        AsyncBody body = begun();
        call().say("all");
        call().finish();
        assertThat(body.done()).isNotDone();

        body.consume();
        assertThat(got).containsExactly("all");
        assertThat(body.done()).isNotDone();
        body.consume();

        assertThat(body.done()).isCompleted();
        assertThat(upstream.hasTimer()).as("nothing is waited for any more").isFalse();
    }

    @Test
    void endOfABodyWithNothingLeft_isToldUnasked() {
        AsyncBody body = begun();

        call().finish();

        assertThat(body.done()).isCompleted();
    }

    @Test
    void characterThatIsNeverFinished_isHandedOverAtTheEnd() {
        AsyncBody body = begun();
        body.consume();

        call().say(new byte[] {(byte) 0xc3});
        assertThat(got).as("no character yet").containsExactly("");
        call().finish();
        assertThat(body.done()).isNotDone();
        body.consume();

        assertThat(got).hasSize(2).last().isEqualTo("\ufffd");
        body.consume();
        assertThat(body.done()).isCompleted();
    }

    @Test
    void failureBeforeTheHead_isWhatComesOfIt() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();

        call().fail(RESET);

        assertThat(failure(response)).isSameAs(RESET);
        assertThat(upstream.hasTimer()).isFalse();
    }

    @Test
    void failureAmidTheBody_isToldAfterWhatCame() {
        AsyncBody body = begun();
        call().say("half");

        call().fail(RESET);

        assertThat(body.done()).isNotDone();
        body.consume();
        assertThat(got).containsExactly("half");
        body.consume();
        assertThat(failure(body.done())).isSameAs(RESET);
    }

    @Test
    void failureAfterTheEnd_changesNothing() {
        AsyncBody body = begun();
        call().say("all");
        call().finish();

        call().fail(RESET);

        body.consume();
        body.consume();
        assertThat(body.done()).isCompleted();
    }

    @Test
    void cancelledBody_isNotWaitedFor_norHandedOver() {
        AsyncBody body = begun();
        call().say("some");

        body.cancel();

        assertThat(call().isCancelled()).isTrue();
        assertThat(body.done()).isCancelled();
        body.consume();
        assertThat(got).isEmpty();
        assertThat(upstream.hasTimer()).isFalse();
    }

    @Test
    void cancelledResponse_givesUpTheRequest() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        assertThat(call().isCancelled()).isFalse();

        response.cancel(false);

        assertThat(call().isCancelled()).isTrue();
    }

    @Test
    void responseThatFails_isNotGivenUpOnTop() {
        list();

        call().fail(RESET);

        assertThat(call().isCancelled()).isFalse();
    }

    @Test
    void readerThatFails_endsItsAnswer() {
        consumer = (_, _) -> {
            throw new StackOverflowError("of a test");
        };
        AsyncBody body = begun();
        body.consume();

        call().say("one");

        assertThat(body.done()).isCompletedExceptionally();
        assertThat(body.done().exceptionNow()).isInstanceOf(StackOverflowError.class);
        assertThat(call().isCancelled()).isTrue();
    }

    @Test
    void watch_isObservedFromItsBeginToItsEnd() {
        watching();
        assertThat(watched).containsExactly("stands", "opened at 7");

        call().say("{}\n");
        call().finish();

        assertThat(watched.subList(2, watched.size()))
                .containsExactly("heard", "heard", "ended stood orderly", "closed");
    }

    @Test
    void watchThatBreaks_didNotEndInOrder() {
        watching();

        call().fail(RESET);

        assertThat(watched).containsExactly("stands", "opened at 7", "ended stood", "closed");
    }

    @Test
    void watchThatIsCancelled_didNotEndInOrder_andEndsOnce() {
        AsyncBody body = watching();

        body.cancel();
        body.cancel();
        call().fail(RESET);

        assertThat(watched).containsExactly("stands", "opened at 7", "ended stood", "closed");
    }

    @Test
    void watchThatIsRefused_neverStood() {
        watch();

        call().answer(403, "no");

        assertThat(watched).containsExactly("ended");
    }

    @Test
    void page_isNoWatch() {
        begun();

        call().say("{}");
        call().finish();

        assertThat(watched).isEmpty();
    }

    @Test
    void answerThatComesBeforeItsRequestIsAtHand_isTheSame() {
        upstream.whenCalled(call -> call.answer(200, "all"));

        HttpResponse<AsyncBody> answer = list().join();

        assertThat(upstream.hasTimer()).isFalse();
        answer.body().consume();
        assertThat(got).containsExactly("all");
        answer.body().consume();
        assertThat(answer.body().done()).isCompleted();
    }

    @Test
    void serverThatHasAnswered_isNotTakenForSilent() {
        turn = turns.take(true);
        begun();
        call().finish();
        turns.take(true);

        scheduler.pass(ListLimiter.LIVE_SERVER_TIMEOUT.multipliedBy(2));

        assertThat(turns.waitingCount())
                .as("the place is kept until the list is over")
                .isEqualTo(1);
    }

    @Test
    void serverThatIsGivenUp_isNotTakenForSilent() {
        turn = turns.take(true);
        begun().cancel();
        turns.take(true);

        scheduler.pass(ListLimiter.LIVE_SERVER_TIMEOUT.multipliedBy(2));

        assertThat(turns.waitingCount()).isEqualTo(1);
    }
}
