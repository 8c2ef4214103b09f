package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.Fields;
import io.fairlead.http.TrackedBuffers;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerSessionTest {
    private static final byte[] NOTHING = {};

    private final Rig rig = Rig.settled();

    @AfterEach
    void closeSession() {
        rig.session().closed();
    }

    @Test
    void request_isAnswered() {
        rig.request(1, true);
        answer(0, 10);

        assertThat(rig.events)
                .containsExactly("< request 0", "< sent 0", "< closed 0", "> HEADERS 1 200", "> DATA 1 10 end");
        assertThat(rig.session().openStreams()).isZero();
    }

    @Test
    void body_isHandedOverAsItComes_andItsRoomIsGivenBackOnceItIsRead() {
        rig.request(1, false);
        for (int i = 0; i < 3; i++) {
            rig.frame(Frame.DATA, 0, 1, new byte[16_000]);
        }
        assertThat(rig.events).containsExactly("< head 0", "< data 16000 0", "< data 16000 0", "< data 16000 0");

        rig.session().consumed(rig.streams.getFirst(), 32_000);
        rig.flush();
        assertThat(rig.events).hasSize(4);
        rig.session().consumed(rig.streams.getFirst(), 16_000);
        rig.flush();
        assertThat(rig.events).last().isEqualTo("> WINDOW_UPDATE 1 48000");
    }

    @Test
    void clientThatWaits_isToldToSendItsBody_untilItsAnswerBegins() {
        rig.request(1, false);
        rig.session().proceed(rig.streams.getFirst());
        rig.session().answer(rig.streams.getFirst(), 413, Fields.EMPTY, true);
        rig.session().proceed(rig.streams.getFirst());
        rig.flush();

        assertThat(rig.events).contains("> HEADERS 1 100", "> HEADERS 1 413 end");
        assertThat(rig.events.stream().filter(event -> event.endsWith(" 100"))).hasSize(1);
    }

    @Test
    void body_beyondTheWindow_isRefused() {
        rig.request(1, false);
        for (int i = 0; i < 4; i++) {
            rig.frame(Frame.DATA, 0, 1, new byte[16_384]);
        }

        assertThat(rig.events).endsWith("< broken 0", "< closed 0", "> RST_STREAM 1 FLOW_CONTROL_ERROR");
    }

    @Test
    void connectionWindow_isGivenBackForDataOfResetStreams() {
        for (int stream = 1; stream < 41; stream += 2) {
            rig.request(stream, false);
            rig.session().reset(rig.streams.getLast(), ErrorCode.CANCEL);
            rig.frame(Frame.DATA, 0, stream, new byte[16_000]);
        }

        assertThat(rig.events).noneMatch(event -> event.contains("GOAWAY"));
        assertThat(rig.events)
                .filteredOn(event -> event.startsWith("> WINDOW_UPDATE 0 "))
                .hasSize(4);
    }

    @Test
    void trailers_endTheBody() {
        rig.request(1, false);
        rig.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, rig.block("x-checksum", "1"));

        assertThat(rig.events).containsExactly("< head 0", "< body 0");
    }

    @Test
    void answer_waitsForTheStreamsWindow() {
        rig.frame(Frame.SETTINGS, 0, 0, "000400000064");
        rig.request(1, true);
        answer(0, 250);
        assertThat(rig.events).endsWith("> HEADERS 1 200", "> DATA 1 100");

        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00000096");
        assertThat(rig.events).endsWith("< sent 0", "< closed 0", "> DATA 1 150 end");
    }

    @Test
    void answer_whoseWindowBecameNegative_waitsUntilItIsOpenAgain() {
        rig.request(1, true);
        answer(0, 65_535 + 10);
        rig.frame(Frame.SETTINGS, 0, 0, "000400000000");
        rig.events.clear();

        rig.frame(Frame.WINDOW_UPDATE, 0, 0, "0000ffff");
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "0000ffff");
        assertThat(rig.events).as("the window is 0 again").isEmpty();
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00000001");
        assertThat(rig.events).containsExactly("> DATA 1 1");
    }

    @Test
    void answers_ofSeveralStreams_takeTurns() {
        rig.request(1, true);
        rig.request(3, true);
        rig.events.clear();
        for (ScriptedStream stream : rig.streams) {
            rig.session().answer(stream, 200, Fields.EMPTY, false);
            rig.session().data(stream, TrackedBuffers.of(new byte[40_000]));
            rig.session().end(stream);
        }
        rig.flush();

        assertThat(rig.events)
                .containsSubsequence("> DATA 1 16384", "> DATA 3 16384", "> DATA 1 16384", "> DATA 3 16383");
        assertThat(rig.events).noneMatch(event -> event.endsWith("end"));
        rig.events.clear();
        rig.frame(Frame.WINDOW_UPDATE, 0, 0, "00010000");
        assertThat(rig.events).filteredOn(event -> event.endsWith("end")).hasSize(2);
    }

    @Test
    void writability_followsTheQueueAndTheSocket() {
        rig.frame(Frame.SETTINGS, 0, 0, "000400000000");
        rig.request(1, true);
        ScriptedStream stream = rig.streams.getFirst();
        rig.session().answer(stream, 200, Fields.EMPTY, false);
        assertThat(rig.session().isWritable(stream)).isTrue();
        rig.session().data(stream, TrackedBuffers.of(new byte[32 * 1024]));
        assertThat(rig.session().isWritable(stream)).isFalse();
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00000001");
        assertThat(rig.events).contains("< writable 0");
        assertThat(rig.session().isWritable(stream)).isTrue();

        rig.isWritable = false;
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00001000");
        assertThat(rig.session().isWritable(stream)).isFalse();
        assertThat(rig.events).doesNotContain("> DATA 1 4096");
        rig.isWritable = true;
        rig.events.clear();
        rig.session().writable();
        rig.flush();
        assertThat(rig.events).containsExactly("< writable 0", "> DATA 1 4096");
    }

    @Test
    void reset_dropsWhatWaits_andIgnoresWhatIsUnderWay() {
        rig.request(1, false);
        rig.session().reset(rig.streams.getFirst(), ErrorCode.CANCEL);
        rig.frame(Frame.DATA, 0, 1, new byte[10]);
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00000001");
        rig.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, rig.block("x", "y"));
        rig.frame(Frame.RST_STREAM, 0, 1, "00000008");

        assertThat(rig.events).containsExactly("< head 0", "< closed 0", "> RST_STREAM 1 CANCEL");
    }

    @Test
    void drain_takesWhatWasUnderWay_andNothingAfterThat() {
        rig.session().announceEnd();
        rig.session().ping();
        rig.flush();
        assertThat(rig.events).containsExactly("> GOAWAY 2147483647 NO_ERROR", "> PING 0 0");
        rig.request(1, true);
        rig.frame(Frame.PING, Frame.ACK, 0, new byte[8]);
        assertThat(rig.events).endsWith("< request 0", "< pong");

        rig.session().takeNoMore();
        rig.request(3, true);
        assertThat(rig.events).endsWith("< pong", "> GOAWAY 1 NO_ERROR");
        answer(0, 1);
        assertThat(rig.events).endsWith("> HEADERS 1 200", "> DATA 1 1 end");
    }

    @Test
    void streamsBeyondTheLimit_areRefused_untilOneEnds() {
        for (int stream : new int[] {1, 3, 5, 7}) {
            rig.request(stream, true);
        }
        assertThat(rig.events).last().isEqualTo("> RST_STREAM 7 REFUSED_STREAM");

        answer(0, 1);
        rig.request(9, true);
        assertThat(rig.events).last().isEqualTo("< request 3");
    }

    @Test
    void headBeyondTheLimits_isToldAsSuch_andTheNextIsRead() {
        rig.request(1, true, "x", "y".repeat(1001));
        String[] many = new String[40];
        Arrays.fill(many, "x");
        rig.request(3, true, many);
        rig.request(5, true);

        assertThat(rig.events).containsExactly("< too many BYTES 0", "< too many FIELDS 1", "< request 2");
    }

    @Test
    void headOfManyFrames_isOne() {
        byte[] block = rig.head("x", "y".repeat(500));
        rig.frame(Frame.HEADERS, Frame.END_STREAM, 1, Arrays.copyOf(block, 100));
        assertThat(rig.session().isInBlock()).isTrue();
        assertThat(rig.session().heldBytes()).isGreaterThanOrEqualTo(100);
        rig.frame(Frame.CONTINUATION, 0, 1, Arrays.copyOfRange(block, 100, 300));
        rig.frame(Frame.CONTINUATION, Frame.END_HEADERS, 1, Arrays.copyOfRange(block, 300, block.length));

        assertThat(rig.events).containsExactly("< request 0");
        assertThat(rig.session().heldBytes()).isZero();
    }

    @Test
    void lostConnection_losesItsStreams() {
        rig.request(1, true);
        rig.session().closed();

        assertThat(rig.events).containsExactly("< request 0", "< lost 0", "< closed 0");
        rig.bytes(NOTHING);
    }

    @Test
    void streamThatFailsWhenItIsLost_hidesThatFromNoOther() {
        rig.request(1, true);
        rig.request(3, true);
        rig.streams.getFirst().failure = new IllegalStateException("of the test");

        assertThatThrownBy(() -> rig.session().closed()).hasMessage("of the test");
        assertThat(rig.events).contains("< lost 0", "< lost 1", "< closed 1");
        rig.bytes(NOTHING);
    }

    private void answer(int stream, int bytes) {
        ScriptedStream open = rig.streams.get(stream);
        rig.session().answer(open, 200, Fields.EMPTY, false);
        rig.session().data(open, TrackedBuffers.of(new byte[bytes]));
        rig.session().end(open);
        rig.flush();
    }
}
