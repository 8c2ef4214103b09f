package io.fairlead.clustersync.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fairlead.clustersync.ManualScheduler;
import io.fairlead.clustersync.ManualUpstream;
import io.fairlead.clustersync.source.AnswerLimits;
import io.fairlead.net.UpstreamFailure;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How an answer's body reaches the one who asked: piece by piece as it is asked for, within bounds, and to which end. */
class BodyReaderTest {
    private static final String CRDS = "/crds";
    private static final Duration HOUR = Duration.ofHours(1);
    /** Over before anything can be asked: whatever is waited for counts as stalled once its timer goes off. */
    private static final Duration INSTANT = Duration.ofNanos(1);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int PAGE_BYTES_MAX = 10;
    private static final int LIST_BYTES_MAX = 15;
    private static final int EVENT_BYTES_MAX = 8;
    private static final UpstreamFailure RESET = new UpstreamFailure(UpstreamFailure.Kind.RESET, "of a test", true);

    private final ManualUpstream upstream = new ManualUpstream();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final ListLimiter turns = new ListLimiter(1, timer(), Runnable::run);
    private final List<String> got = new ArrayList<>();
    private final List<String> reached = new ArrayList<>();
    private final List<String> watched = new ArrayList<>();
    private Duration stallTimeout = HOUR;
    private ListLimiter.@Nullable Turn turn;
    private AsyncBody.Consumer<List<ByteBuffer>> consumer = (batch, _) -> got.add(text(batch));

    @Test
    void head_isAnAnswer_whoseBodyIsNotReadBeforeItIsAskedFor() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        assertThat(response).isNotDone();

        call().begin(404, new DefaultHttpHeaders().add("X-Of", "a").add("x-of", "b"));

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

    @Test
    void watch_mayBeLongerThanAPage() {
        AsyncBody body = watching();
        call().say("1234567\n1234567\n1234567\n");

        body.consume();

        assertThat(got).containsExactly("1234567\n1234567\n1234567\n");
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

    /** A list's answer whose head came. */
    private AsyncBody begun() {
        CompletableFuture<HttpResponse<AsyncBody>> response = list();
        call().begin(200);
        return response.join().body();
    }

    private AsyncBody watching() {
        CompletableFuture<HttpResponse<AsyncBody>> response = watch();
        call().begin(200);
        return response.join().body();
    }

    private CompletableFuture<HttpResponse<AsyncBody>> list() {
        return client().consumeBytesDirect(
                        (StandardHttpRequest) new StandardHttpRequest.Builder()
                                .uri("https://cluster.invalid" + CRDS)
                                .build(),
                        (batch, body) -> consumer.consume(batch, body));
    }

    private CompletableFuture<HttpResponse<AsyncBody>> watch() {
        return client().consumeBytesDirect(
                        (StandardHttpRequest) new StandardHttpRequest.Builder()
                                .uri("https://cluster.invalid" + CRDS + "?watch=true&resourceVersion=7")
                                .forStreaming()
                                .build(),
                        (batch, body) -> consumer.consume(batch, body));
    }

    private NettyHttpClient client() {
        return (NettyHttpClient) new NettyHttpClientFactory(
                        upstream,
                        () -> null,
                        Runnable::run,
                        new BodyLimits(
                                new AnswerLimits(PAGE_BYTES_MAX, LIST_BYTES_MAX, EVENT_BYTES_MAX, reached::add),
                                stallTimeout),
                        new Observed(),
                        (_, _) -> turn)
                .newBuilder()
                .build();
    }

    private ManualUpstream.Call call() {
        return upstream.calls().getLast();
    }

    private ListLimiter.Timer timer() {
        return new ListLimiter.Timer() {
            @Override
            public long nanoTime() {
                return scheduler.nanoTime();
            }

            @Override
            public void after(long nanos, Runnable task) {
                var _ = scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
            }
        };
    }

    private static UpstreamFailure failure(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return Objects.requireNonNull(UpstreamException.in(future.exceptionNow()));
    }

    private static String text(List<ByteBuffer> batch) {
        StringBuilder text = new StringBuilder();
        batch.forEach(piece -> text.append(UTF_8.decode(piece)));
        return text.toString();
    }

    /** Writes down what an observer hears of {@code /crds}. */
    private final class Observed implements WatchObserver {
        @Override
        public void stands(String path) {
            note(path, "stands");
        }

        @Override
        public void opened(String path, String resourceVersion) {
            note(path, "opened at " + resourceVersion);
        }

        @Override
        public void heard(String path) {
            note(path, "heard");
        }

        @Override
        public void ended(String path, boolean stood, boolean orderly) {
            note(path, "ended" + (stood ? " stood" : "") + (orderly ? " orderly" : ""));
        }

        @Override
        public void closed(String path) {
            note(path, "closed");
        }

        private void note(String path, String what) {
            assertThat(path).isEqualTo(CRDS);
            watched.add(what);
        }
    }
}
