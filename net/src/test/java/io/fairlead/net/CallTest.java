package io.fairlead.net;

import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a call ends: by its answer, its caller, a failure, a timeout or something that is thrown. */
final class CallTest extends CallFixture {
    @Test
    void readerThatStalls_isHeldUpFromTheBegin_andReadsOn() {
        Call call = post(0);
        call.started(hour);
        call.reading(false);
        assertThat(wired).isEmpty();

        call.sentOver(wire());
        call.reading(true);

        assertThat(wired).containsExactly("reading false", "end", "reading true");
    }

    @Test
    void answer_isHeardToItsEnd_andNothingAfterIt() {
        Call call = sent(post(0));

        call.answered(200, new MutableFields());
        call.received(utf8("body"));
        call.ended();
        assertThat(heard).containsExactly("200", "body", "end");
        assertThat(call.isDone()).isTrue();

        ByteBuf late = utf8("late");
        call.answered(500, new MutableFields());
        call.received(late);
        call.ended();
        call.failed(REACHED);
        call.cancel();
        assertThat(heard).hasSize(3);
        assertThat(late.refCnt()).isZero();
        assertThat(wired).containsExactly("end");
        assertThat(hour.first()).as("it waits no more").isNull();
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
        assertThat(hour.first()).isNull();
    }

    @Test
    void callThatIsGivenUpBeforeItsConnection_takesNone() {
        Call call = post(-1);
        call.started(hour);
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
        held.started(hour);
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
        call.answered(200, new MutableFields());

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
        call.started(hour);
        loop.runPendingTasks();

        assertThat(heard).containsExactly("RESET reached of a test");
        assertThat(loop.runScheduledPendingTasks()).as("nothing is waited for").isEqualTo(-1);
    }

    @Test
    void answerThatDoesNotBegin_isATimeoutOfTheServer() {
        Call call = post(0);
        call.waitsIn(lane());
        call.started(within(Duration.ZERO));
        call.sentOver(wire());

        pass(INSTANT);

        assertThat(heard).containsExactly("TIMEOUT reached https://one did not begin to answer within 0 s");
        assertThat(wired).containsExactly("end", "abort");
    }

    @Test
    void connectionThatDoesNotCome_isNoneOfTheServer_andTheCallLeavesItsQueue() {
        Call call = post(0);
        call.waitsIn(lane());
        call.started(within(Duration.ZERO));

        pass(INSTANT);

        assertThat(heard).containsExactly("TIMEOUT unreached there was no free connection to https://one within 0 s");
        assertThat(call.isDone()).isTrue();
        assertThat(wired).isEmpty();
    }

    @Test
    void timeout_countsFromTheLastPieceOfTheRequest() {
        Call call = post(-1);
        call.waitsIn(lane());
        call.started(hour);

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

        call.answered(200, new MutableFields());

        assertThat(hour.first()).isNull();
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
        call.started(hour);
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
        call.started(hour);

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
}
