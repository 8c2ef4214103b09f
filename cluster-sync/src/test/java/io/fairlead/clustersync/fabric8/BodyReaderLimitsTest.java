package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.net.UpstreamFailure;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How much of an answer is read, and how long one is waited for. */
final class BodyReaderLimitsTest extends BodyReaderFixture {
    @Test
    void pageBeyondItsBound_isRefused_andTheBoundNamed() {
        AsyncBody body = begun();
        body.consume();
        call().say("0123456789");
        assertThat(got).as("exactly so much").containsExactly("0123456789");
        body.consume();

        call().say("x");

        assertThat(got).hasSize(1);
        assertThat(call().isCancelled()).isTrue();
        assertThat(Objects.requireNonNull(TooMuchException.in(body.done().exceptionNow()))
                        .said())
                .isEqualTo("the cluster sends an answer of more than 10 bytes for /crds");
        assertThat(reached).containsExactly(AnswerLimits.PAGE_BYTES);
    }

    @Test
    void listBeyondItsBound_isRefused_thoughEachPageIsNot() {
        turn = turns.take(true);
        begun();
        call().say("0123456789");
        call().finish();
        AsyncBody next = begun();
        next.consume();
        call().say("01234");
        assertThat(got).as("exactly so much").containsExactly("01234");
        next.consume();

        call().say("x");

        assertThat(got).hasSize(1);
        assertThat(Objects.requireNonNull(TooMuchException.in(next.done().exceptionNow()))
                        .said())
                .isEqualTo("the cluster sends a list of more than 15 bytes for /crds");
        assertThat(reached).containsExactly(AnswerLimits.LIST_BYTES);
        assertThat(call().isCancelled()).isTrue();
    }

    @Test
    void answersOfNoList_areBoundedEachForItself() {
        begun();
        call().say("0123456789");
        call().finish();
        AsyncBody next = begun();
        next.consume();

        call().say("0123456789");

        assertThat(got).containsExactly("0123456789");
        assertThat(reached).isEmpty();
    }

    @Test
    void eventBeyondItsBound_endsTheWatch() {
        AsyncBody body = watching();
        call().say("12345678");
        call().say("\n1234");
        call().say("5678");
        call().say("\n");
        call().say("12345678");
        assertThat(call().isCancelled()).isFalse();

        call().say("x");

        assertThat(call().isCancelled()).isTrue();
        assertThat(reached).containsExactly(AnswerLimits.EVENT_BYTES);
        body.consume();
        assertThat(got).containsExactly("12345678\n12345678\n12345678");
        body.consume();
        assertThat(failure(body.done()).kind()).isEqualTo(UpstreamFailure.Kind.PROTOCOL);
        assertThat(failure(body.done()).message()).isEqualTo("a watch event of more than 8 bytes for /crds");
        assertThat(failure(body.done()).requestReached()).isTrue();
    }

    /** A cluster that changes something without end would have a processor to itself. */
    @Test
    void watchThatBringsTooMuchAtOnce_isReadOnAfterAPause_andLosesNothing() {
        AsyncBody body = watching();
        body.consume();
        String many = "1\n".repeat(10_000);
        call().say(many);
        assertThat(got).as("not too much yet").containsExactly(many);
        body.consume();

        call().say(many);

        assertThat(got).hasSize(1);
        assertThat(call().isReading()).isFalse();
        call().say("2\n");
        upstream.pass(HOUR);
        assertThat(got).containsExactly(many, many + "2\n");
        body.consume();
        assertThat(call().isReading()).isTrue();
        assertThat(call().isCancelled()).isFalse();
    }

    @Test
    void watchThatIsBegunAnew_goesOnAtThePaceOfTheOneBefore() {
        watching();
        call().say("1\n".repeat(20_000));
        call().finish();
        AsyncBody next = watching();
        next.consume();

        call().say("2\n");

        assertThat(got).isEmpty();
        upstream.pass(HOUR);
        assertThat(got).containsExactly("2\n");
    }

    @Test
    void watchThatEndsInAPause_isHandedOverToItsEnd() {
        AsyncBody body = watching();
        body.consume();
        String many = "1\n".repeat(20_000);
        call().say(many);
        assertThat(got).isEmpty();

        call().finish();

        assertThat(got).containsExactly(many);
        body.consume();
        assertThat(body.done()).isCompleted();
        upstream.pass(HOUR);
        assertThat(got).hasSize(1);
    }

    @Test
    void watch_mayBeLongerThanAPage() {
        AsyncBody body = watching();
        call().say("1234567\n1234567\n1234567\n");

        body.consume();

        assertThat(got).containsExactly("1234567\n1234567\n1234567\n");
    }

    @Test
    void answerThatDoesNotBegin_isGivenUp() {
        stallTimeout = INSTANT;
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        assertThat(response).isNotDone();

        upstream.pass(INSTANT);

        assertThat(failure(response).kind()).isEqualTo(UpstreamFailure.Kind.TIMEOUT);
        assertThat(failure(response).message()).isEqualTo("the answer to /crds made no progress for 0 s");
        assertThat(failure(response).requestReached()).isTrue();
        assertThat(call().isCancelled()).isTrue();
        assertThat(upstream.hasTimer()).isFalse();
    }

    @Test
    void answerThatStops_isGivenUp_onlyWhileItIsWaitedFor() {
        stallTimeout = INSTANT;
        AsyncBody body = begun();
        upstream.pass(SECOND);
        assertThat(call().isCancelled()).as("before the caller asks for more").isFalse();
        upstream.pass(SECOND);
        assertThat(call().isCancelled()).isFalse();

        body.consume();
        upstream.pass(SECOND.minusNanos(1));
        assertThat(call().isCancelled()).as("it is not looked at again before").isFalse();
        upstream.pass(SECOND);

        assertThat(call().isCancelled()).isTrue();
        assertThat(failure(body.done()).kind()).isEqualTo(UpstreamFailure.Kind.TIMEOUT);
    }

    @Test
    void answerThatMadeProgressMeanwhile_isLookedAtAgain() {
        list();

        upstream.pass(HOUR); // of the timer, not of the clock by which progress is judged

        assertThat(call().isCancelled()).isFalse();
        assertThat(upstream.hasTimer()).isTrue();
        upstream.pass(SECOND);
        assertThat(upstream.hasTimer()).isTrue();
    }

    @Test
    void watchThatStands_maySayNothingForAsLongAsItLikes() {
        stallTimeout = INSTANT;
        AsyncBody body = watching();
        body.consume();

        upstream.pass(HOUR);

        assertThat(call().isCancelled()).isFalse();
        assertThat(upstream.hasTimer()).isFalse();
    }

    @Test
    void listWithoutAPlace_isNotReadOn_andNotTakenForStalled() {
        stallTimeout = INSTANT;
        ListLimiter.Turn other = turns.take(true);
        turn = turns.takeWithoutPlace();
        AsyncBody body = begun();
        body.consume();
        assertThat(call().isReading()).isTrue();

        call().say("one");
        call().say("two");

        assertThat(got).isEmpty();
        assertThat(call().isReading()).isFalse();
        upstream.pass(SECOND);
        upstream.pass(SECOND);
        assertThat(call().isCancelled()).isFalse();
        other.end();
        assertThat(got).containsExactly("onetwo");
        body.consume();
        assertThat(call().isReading()).isTrue();
        call().say("3");
        assertThat(got).containsExactly("onetwo", "3");
    }

    @Test
    void listWithoutAPlace_isNotReadOn_thoughItIsAskedForAgain() {
        ListLimiter.Turn other = turns.take(true);
        turn = turns.takeWithoutPlace();
        AsyncBody body = begun();
        call().say(new byte[] {(byte) 0xc3});

        body.consume();
        assertThat(call().isReading()).isFalse();
        other.end();

        assertThat(got).isEmpty();
        assertThat(call().isReading()).as("half of a character came").isTrue();
        call().say(new byte[] {(byte) 0xa4});
        assertThat(got).containsExactly("ä");
    }

    @Test
    void listThatEndsWithoutAPlace_isHandedOverAsItIs() {
        turns.take(true);
        turn = turns.takeWithoutPlace();
        AsyncBody body = begun();
        body.consume();
        call().say("all");
        assertThat(got).isEmpty();

        call().finish();

        assertThat(got).containsExactly("all");
        body.consume();
        assertThat(body.done()).isCompleted();
    }

    @Test
    void listThatGetsItsPlace_waitsToBeAskedFor() {
        ListLimiter.Turn other = turns.take(true);
        turn = turns.takeWithoutPlace();
        AsyncBody body = begun();
        call().say("one");

        other.end();

        assertThat(got).isEmpty();
        assertThat(call().isReading()).isFalse();
        body.consume();
        assertThat(got).containsExactly("one");
    }

    @Test
    void listThatIsCancelledWithoutAPlace_isNotReadOnOnceThereIsOne() {
        ListLimiter.Turn other = turns.take(true);
        turn = turns.takeWithoutPlace();
        AsyncBody body = begun();
        body.consume();
        call().say("one");
        body.cancel();

        other.end();

        assertThat(got).isEmpty();
        assertThat(call().isReading()).isFalse();
    }

    @Test
    void listThatIsOver_isNotReadAnyMore() {
        ListLimiter.Turn ended = turns.take(true);
        turn = ended;
        AsyncBody body = begun();
        body.consume();
        ended.end();

        call().say("one");

        assertThat(got).isEmpty();
        assertThat(call().isCancelled()).isTrue();
        assertThat(body.done()).isCancelled();
    }

    @Test
    void listThatIsOverBeforeItHasItsPlace_isNotReadOn() {
        turns.take(true);
        ListLimiter.Turn ended = turns.takeWithoutPlace();
        turn = ended;
        AsyncBody body = begun();
        body.consume();
        call().say("one");

        ended.end();

        assertThat(got).isEmpty();
        assertThat(call().isCancelled()).isTrue();
        assertThat(body.done()).isCancelled();
    }
}
