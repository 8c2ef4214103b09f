package io.fairlead.net;

import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call from its first piece to its last callback, on an event loop whose time the test lets pass. */
final class CallTest {
    private static final int HELD_MAX = 64 * 1024;
    private static final Duration HOUR = Duration.ofHours(1);
    /** Over before anything can be done: what is judged by the clock is due. */
    private static final Duration INSTANT = Duration.ofNanos(1);

    private static final UpstreamFailure UNREACHED = new UpstreamFailure(Kind.RESET, "of a test", false);
    private static final UpstreamFailure REACHED = new UpstreamFailure(Kind.RESET, "of a test", true);

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final Rig rig = new Rig();
    private final List<String> heard = new ArrayList<>();
    private final List<String> wired = new ArrayList<>();
    private final List<UpstreamFailure> resends = new ArrayList<>();
    private boolean isSentAgain;
    private boolean wireIsWritable = true;

    CallTest() {
        loop.freezeTime();
    }

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void bodyBeforeTheConnection_isHeld_andFollowsTheHead() {
        Call call = post(-1);
        call.started(HOUR);
        call.write(utf8("one "));
        call.write(utf8("two"));
        call.end();
        assertThat(call.isBodyEnded()).isTrue();
        assertThat(wired).isEmpty();

        call.sentOver(wire());

        assertThat(wired).containsExactly("one ", "two", "end");
    }

    @Test
    void bodyBehindTheHead_goesOutAsItComes_andEndsOnce() {
        Call call = sent(post(-1));
        assertThat(wired).isEmpty();

        call.write(utf8("one"));
        assertThat(wired).containsExactly("one");
        call.write(Unpooled.EMPTY_BUFFER);
        call.end();
        call.end();

        assertThat(wired).containsExactly("one", "end");
    }

    @Test
    void bodyWithoutAConnection_makesTheCallUnwritable_untilThereIsOne() {
        Call call = post(-1);
        call.started(HOUR);
        call.write(Unpooled.wrappedBuffer(new byte[HELD_MAX - 1]));
        assertThat(call.isWritable()).isTrue();
        assertThat(heard).isEmpty();

        call.write(Unpooled.wrappedBuffer(new byte[1]));
        assertThat(call.isWritable()).isFalse();
        assertThat(heard).containsExactly("writable false");
        call.sentOver(wire());

        assertThat(call.isWritable()).isTrue();
        assertThat(heard).containsExactly("writable false", "writable true");
    }

    @Test
    void writability_isThatOfTheConnection_andToldWhenItChanges() {
        wireIsWritable = false;
        Call call = sent(post(-1));
        assertThat(heard).containsExactly("writable false");

        call.writabilityChanged(false);
        assertThat(heard).hasSize(1);
        call.writabilityChanged(true);
        assertThat(heard).hasSize(2);
        assertThat(call.isWritable()).isTrue();
    }

    @Test
    void writability_beforeTheConnection_isNotThatOfAnother() {
        Call call = post(-1);
        call.started(HOUR);

        call.writabilityChanged(false);

        assertThat(call.isWritable()).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void writability_isNotToldBeforeSendHasReturned() {
        wireIsWritable = false;
        Call call = post(-1);

        call.sentOver(wire());

        assertThat(call.isWritable()).isFalse();
        assertThat(heard).isEmpty();
    }

    @Test
    void bodyBeyondItsLength_isNotSent() {
        Call call = sent(post(3));
        call.write(utf8("one"));
        ByteBuf more = utf8("!");

        call.write(more);

        assertThat(more.refCnt()).isZero();
        assertThat(wired).containsExactly("one", "abort");
        assertThat(heard).containsExactly("PROTOCOL reached the request's body is longer than its declared 3 bytes");
        assertThat(call.isDone()).isTrue();
    }

    @Test
    void bodyBehindItsEnd_isNotSent() {
        Call call = post(-1);
        call.started(HOUR);
        call.end();
        ByteBuf more = utf8("!");

        call.write(more);

        assertThat(more.refCnt()).isZero();
        assertThat(heard).hasSize(1);
        assertThat(heard.getFirst()).startsWith("PROTOCOL unreached the request's body is longer");
    }

    @Test
    void bodyOfItsLength_isWhole_andAShorterOneIsNot() {
        Call whole = sent(post(3));
        whole.write(utf8("one"));
        whole.end();
        assertThat(wired).containsExactly("one", "end");
        assertThat(heard).isEmpty();

        Call call = sent(post(5));
        call.write(utf8("one"));
        call.end();

        assertThat(wired.getLast()).isEqualTo("abort");
        assertThat(heard).containsExactly("PROTOCOL reached the request's body ended 2 bytes short of its declared 5");
    }

    @Test
    void requestWithoutABody_endsWithItsHead() {
        Call call = sent(post(0));

        assertThat(call.isBodyEnded()).isTrue();
        assertThat(wired).containsExactly("end");
    }

    @Test
    void readerThatStalls_isHeldUpFromTheBegin_andReadsOn() {
        Call call = post(0);
        call.started(HOUR);
        call.reading(false);
        assertThat(wired).isEmpty();

        call.sentOver(wire());
        call.reading(true);

        assertThat(wired).containsExactly("reading false", "end", "reading true");
    }

    @Test
    void answer_isHeardToItsEnd_andNothingAfterIt() {
        Call call = sent(post(0));

        call.answered(200, new DefaultHttpHeaders());
        call.received(utf8("body"));
        call.ended();
        assertThat(heard).containsExactly("200", "body", "end");
        assertThat(call.isDone()).isTrue();

        ByteBuf late = utf8("late");
        call.answered(500, new DefaultHttpHeaders());
        call.received(late);
        call.ended();
        call.failed(REACHED);
        call.cancel();
        assertThat(heard).hasSize(3);
        assertThat(late.refCnt()).isZero();
        assertThat(wired).containsExactly("end");
        assertThat(loop.runScheduledPendingTasks()).as("no timer is left").isEqualTo(-1);
    }

    @Test
    void callThatIsGivenUp_leavesItsConnection_andHearsNothing() {
        Call call = sent(post(-1));

        call.cancel();

        assertThat(wired).containsExactly("abort");
        ByteBuf late = utf8("late");
        call.write(late);
        call.end();
        call.writabilityChanged(false);
        assertThat(late.refCnt()).isZero();
        assertThat(wired).hasSize(1);
        assertThat(heard).isEmpty();
        assertThat(loop.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void callThatIsGivenUpBeforeItsConnection_takesNone() {
        Call call = post(-1);
        call.started(HOUR);
        ByteBuf held = utf8("held");
        call.write(held);

        call.cancel();

        assertThat(held.refCnt()).isZero();
        call.sentOver(wire());
        assertThat(wired).containsExactly("abort");
    }

    @Test
    void requestThatDidNotReachTheServer_isSentAgainOnce() {
        isSentAgain = true;
        Call call = sent(post(-1));

        call.failed(UNREACHED);

        assertThat(resends).containsExactly(UNREACHED);
        assertThat(heard).isEmpty();
        assertThat(call.isDone()).isFalse();
        call.write(utf8("body"));
        assertThat(wired).as("it has no connection any more").isEmpty();
        call.sentOver(wire());
        assertThat(wired).containsExactly("body");

        call.failed(UNREACHED);
        assertThat(resends).hasSize(1);
        assertThat(heard).containsExactly("RESET unreached of a test");
    }

    @Test
    void requestThatReachedTheServer_isNotSentAgain() {
        isSentAgain = true;
        sent(post(0)).failed(REACHED);

        assertThat(resends).isEmpty();
        assertThat(heard).containsExactly("RESET reached of a test");
    }

    @Test
    void requestWhoseBodyIsGone_isNotSentAgain() {
        isSentAgain = true;
        Call streamed = sent(post(-1));
        streamed.write(utf8("gone"));
        streamed.failed(UNREACHED);
        Call held = post(-1);
        held.started(HOUR);
        held.write(utf8("gone"));
        held.sentOver(wire());
        held.failed(UNREACHED);

        assertThat(resends).isEmpty();
        assertThat(heard).hasSize(2);
    }

    @Test
    void requestWhoseAnswerBegan_isNotSentAgain() {
        isSentAgain = true;
        Call call = sent(post(0));
        call.answered(200, new DefaultHttpHeaders());

        call.failed(UNREACHED);

        assertThat(resends).isEmpty();
        assertThat(heard).containsExactly("200", "RESET unreached of a test");
    }

    @Test
    void requestThatIsNotWorthASecondAttempt_fails() {
        Call call = sent(post(0));

        call.failed(UNREACHED);

        assertThat(resends).hasSize(1);
        assertThat(heard).containsExactly("RESET unreached of a test");
        assertThat(call.isDone()).isTrue();
    }

    @Test
    void failureBeforeSendHasReturned_isToldAfterwards() {
        Call call = post(0);

        call.failed(REACHED);
        assertThat(heard).isEmpty();
        call.started(HOUR);
        loop.runPendingTasks();

        assertThat(heard).containsExactly("RESET reached of a test");
        assertThat(loop.runScheduledPendingTasks()).as("nothing is waited for").isEqualTo(-1);
    }

    @Test
    void answerThatDoesNotBegin_isATimeoutOfTheServer() {
        Call call = post(0);
        call.waitsIn(lane());
        call.started(Duration.ZERO);
        call.sentOver(wire());

        pass(INSTANT);

        assertThat(heard).containsExactly("TIMEOUT reached https://one did not begin to answer within 0 s");
        assertThat(wired).containsExactly("end", "abort");
    }

    @Test
    void connectionThatDoesNotCome_isNoneOfTheServer_andTheCallLeavesItsQueue() {
        Call call = post(0);
        call.waitsIn(lane());
        call.started(Duration.ZERO);

        pass(INSTANT);

        assertThat(heard).containsExactly("TIMEOUT unreached there was no free connection to https://one within 0 s");
        assertThat(call.isDone()).isTrue();
        assertThat(wired).isEmpty();
    }

    @Test
    void timeout_countsFromTheLastPieceOfTheRequest() {
        Call call = post(-1);
        call.waitsIn(lane());
        call.started(HOUR);

        pass(HOUR); // of the timer, not of the clock by which the time is judged

        assertThat(heard).isEmpty();
        assertThat(loop.runScheduledPendingTasks()).as("it is looked at again").isPositive();
    }

    @Test
    void watch_hasNoTimeout() {
        Call call = post(0);

        call.started(null);

        assertThat(loop.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void answerThatBegan_mayTakeItsTime() {
        Call call = sent(post(0));

        call.answered(200, new DefaultHttpHeaders());

        assertThat(loop.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsThrownAtACall_isHeardByItsCaller(boolean isOver) {
        Call call = sent(post(-1));
        if (isOver) {
            call.ended();
            heard.clear();
        }

        call.broke(new StackOverflowError("of a test"));

        if (isOver) {
            assertThat(heard).isEmpty();
            assertThat(wired).isEmpty();
        } else {
            assertThat(heard).containsExactly("RESET reached the request was broken off here: StackOverflowError");
            assertThat(wired).containsExactly("abort");
        }
        assertThat(call.isDone()).isTrue();
    }

    @Test
    void wireThatThrows_endsTheCall() {
        Call call = post(-1);
        call.started(HOUR);
        call.sentOver(new NotedWire() {
            @Override
            public void endBody() {
                throw new IllegalStateException("of a test");
            }
        });

        call.end();

        assertThat(heard).containsExactly("RESET reached the request was broken off here: IllegalStateException");
        assertThat(wired).containsExactly("abort");
    }

    @Test
    void secondAttemptThatThrows_isNone() {
        Call call =
                new Call(loop.eventLoop(), head(HttpMethod.GET, "/", 0), Upstream.Kind.SHORT, receiver(), (_, _) -> {
                    throw new StackOverflowError("of a test");
                });
        call.started(HOUR);

        call.failed(UNREACHED);

        assertThat(heard).containsExactly("RESET unreached of a test");
    }

    @Test
    void call_isWhatItWasMadeOf() {
        Call call = post(3);

        assertThat(call.head().target()).isEqualTo("/");
        assertThat(call.kind()).isEqualTo(Upstream.Kind.SHORT);
        assertThat(call.eventLoop()).isSameAs(loop.eventLoop());
        assertThat(call.isBodyEnded()).isFalse();
        assertThat(call.isDone()).isFalse();
    }

    private Call post(long length) {
        return new Call(
                loop.eventLoop(), head(HttpMethod.POST, "/", length), Upstream.Kind.SHORT, receiver(), (_, failure) -> {
                    resends.add(failure);
                    return isSentAgain;
                });
    }

    private Call sent(Call call) {
        call.started(HOUR);
        call.sentOver(wire());
        return call;
    }

    private void pass(Duration time) {
        loop.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        loop.runScheduledPendingTasks();
    }

    /** One that nothing is submitted to. */
    private EndpointPool lane() {
        UpstreamSpec spec = new UpstreamSpec(List.of(URI.create("https://one")), null, null, null, null);
        PooledUpstream upstream =
                (PooledUpstream) rig.client(UpstreamLimits.defaults(), true).open(spec);
        Generation generation = new Generation(upstream, spec);
        return new EndpointPool(upstream, generation, generation.choose(), Upstream.Kind.SHORT, loop.eventLoop());
    }

    private CallTransport wire() {
        return new NotedWire();
    }

    private ResponseReceiver receiver() {
        return new ResponseReceiver() {
            @Override
            public void onHead(int status, HttpHeaders headers) {
                heard.add(Integer.toString(status));
            }

            @Override
            public void onData(ByteBuf data) {
                heard.add(data.toString(StandardCharsets.UTF_8));
                data.release();
            }

            @Override
            public void onEnd() {
                heard.add("end");
            }

            @Override
            public void onFailure(UpstreamFailure failure) {
                heard.add(
                        failure.kind() + (failure.requestReached() ? " reached " : " unreached ") + failure.message());
            }

            @Override
            public void onWritabilityChanged(boolean writable) {
                heard.add("writable " + writable);
            }
        };
    }

    /** Writes down what goes over it. */
    private class NotedWire implements CallTransport {
        @Override
        public void body(ByteBuf data) {
            wired.add(data.toString(StandardCharsets.UTF_8));
            data.release();
        }

        @Override
        public void endBody() {
            wired.add("end");
        }

        @Override
        public boolean isWritable() {
            return wireIsWritable;
        }

        @Override
        public void reading(boolean on) {
            wired.add("reading " + on);
        }

        @Override
        public void abort() {
            wired.add("abort");
        }
    }
}
