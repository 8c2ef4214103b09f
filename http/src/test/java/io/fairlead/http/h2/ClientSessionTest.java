package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.TrackedBuffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private final ClientRig rig = ClientRig.settled();

    @AfterEach
    void closeSession() {
        rig.session().closed();
    }

    @Test
    void start_sendsThePreface_withoutAHeaderTable_andWithoutPushes() {
        ClientRig fresh = new ClientRig();

        assertThat(fresh.events).containsExactly("> preface", "> SETTINGS 0", "> WINDOW_UPDATE 0 196605");
        fresh.session().closed();
    }

    @Test
    void settings_areHandedOver_andAcknowledged() {
        rig.frame(Frame.SETTINGS, 0, 0, "000300000007");
        rig.frame(Frame.SETTINGS, 0, 0, "");

        assertThat(rig.events).containsExactly("< settled 7", "> SETTINGS 1", "< settled 7", "> SETTINGS 1");
    }

    @Test
    void requests_areAnswered_inAnyOrder() {
        rig.get("/a");
        rig.get("/b");
        rig.answer(3, true, ":status", "404");
        rig.answer(1, false, ":status", "200", "x", "y");
        rig.frame(Frame.DATA, Frame.END_STREAM, 1, new byte[10]);

        assertThat(rig.events)
                .containsExactly(
                        "> HEADERS 1 /a end",
                        "> HEADERS 3 /b end",
                        "< request 1",
                        "< closed 1",
                        "< head 0",
                        "< data 10 0",
                        "< body 0",
                        "< closed 0");
        assertThat(rig.streams.getFirst().head).isEqualTo(":status: 200\nx: y\n");
    }

    @Test
    void body_isSent_asTheServersWindowsAdmit() {
        ScriptedStream stream = rig.request("POST", "/", false);
        rig.session().data(stream, TrackedBuffers.of(new byte[70_000]));
        rig.session().end(stream);
        rig.flush();
        assertThat(rig.events).endsWith("> DATA 1 16384", "> DATA 1 16383");
        assertThat(rig.session().queuedBytes(stream)).isEqualTo(4_465);

        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00010000");
        rig.frame(Frame.WINDOW_UPDATE, 0, 0, "00010000");
        assertThat(rig.events).endsWith("< sent 0", "> DATA 1 4465 end");
    }

    /** They are put together. */
    @Test
    void smallPieces_thatWait_countAsWhatTheyAre() {
        ScriptedStream stream = rig.request("POST", "/", false);
        rig.session().data(stream, TrackedBuffers.of(new byte[65_535]));
        rig.flush();
        for (int i = 0; i < 5; i++) {
            rig.session().data(stream, TrackedBuffers.of(new byte[10]));
        }
        assertThat(rig.session().queuedBytes(stream)).isEqualTo(50);

        rig.session().end(stream);
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00010000");
        rig.frame(Frame.WINDOW_UPDATE, 0, 0, "00010000");
        assertThat(rig.events).endsWith("< sent 0", "> DATA 1 10", "> DATA 1 40 end");
        assertThat(rig.session().queuedBytes(stream)).isZero();
    }

    @Test
    void interimAnswers_comeBeforeTheAnswer() {
        rig.get("/");
        rig.answer(1, false, ":status", "103", "link", "</x>");
        rig.answer(1, false, ":status", "100");
        rig.answer(1, true, ":status", "200");

        assertThat(rig.events).endsWith("< head 0", "< head 0", "< request 0", "< closed 0");
    }

    @Test
    void answerToHead_hasNoBody_whateverItAnnounces() {
        rig.request("HEAD", "/", true);
        rig.answer(1, true, ":status", "200", "content-length", "1234");
        rig.request("HEAD", "/", true);
        rig.answer(3, false, ":status", "200", "content-length", "1");
        rig.frame(Frame.DATA, Frame.END_STREAM, 3, new byte[1]);

        assertThat(rig.events)
                .contains("< closed 0")
                .endsWith("< broken 1", "< closed 1", "> RST_STREAM 3 PROTOCOL_ERROR");
    }

    @Test
    void trailers_endTheAnswer() {
        rig.get("/");
        rig.answer(1, false, ":status", "200");
        rig.answer(1, true, "grpc-status", "0");

        assertThat(rig.events).endsWith("< head 0", "< body 0", "< closed 0");
    }

    @Test
    void data_isHeldByTheWindow_untilItIsConsumed() {
        ScriptedStream stream = rig.get("/");
        rig.answer(1, false, ":status", "200");
        for (int i = 0; i < 3; i++) {
            rig.frame(Frame.DATA, 0, 1, new byte[16_000]);
        }
        assertThat(rig.events).noneMatch(event -> event.startsWith("> WINDOW_UPDATE"));
        rig.session().consumed(stream, 48_000);
        rig.flush();

        assertThat(rig.events).endsWith("> WINDOW_UPDATE 1 48000");
    }

    @Test
    void goAway_refusesWhatWasNotTaken_andLetsTheRestEnd() {
        rig.get("/a");
        ScriptedStream second = rig.get("/b");
        rig.frame(Frame.GOAWAY, 0, 0, "0000000100000000");
        assertThat(rig.events).endsWith("< reset 1", "< closed 1", "< gone away");
        assertThat(second.reset).isEqualTo("REFUSED_STREAM");
        assertThat(rig.session().takesMore()).isFalse();

        rig.answer(1, true, ":status", "200");
        assertThat(rig.events).endsWith("< request 0", "< closed 0");
    }

    @Test
    void reset_isTold_withItsCode() {
        ScriptedStream stream = rig.get("/a");
        rig.frame(Frame.RST_STREAM, 0, 1, "0000000b");
        rig.get("/b");
        rig.frame(Frame.RST_STREAM, 0, 3, "12345678");

        assertThat(stream.reset).isEqualTo("ENHANCE_YOUR_CALM");
        assertThat(rig.streams.getLast().reset).isEqualTo("code 305419896");
    }

    @Test
    void whatComesLate_onAStreamThatWasGivenUp_isDropped() {
        ScriptedStream stream = rig.get("/");
        rig.session().reset(stream, ErrorCode.CANCEL);
        rig.flush();
        rig.events.clear();
        rig.answer(1, false, ":status", "200");
        rig.frame(Frame.DATA, 0, 1, new byte[10]);
        rig.frame(Frame.RST_STREAM, 0, 1, "00000008");
        rig.frame(Frame.WINDOW_UPDATE, 0, 1, "00000008");

        assertThat(rig.events).isEmpty();
    }

    @Test
    void closed_losesWhatIsNotAnswered() {
        rig.get("/");
        rig.session().closed();

        assertThat(rig.events).endsWith("< lost 0", "< closed 0");
        assertThat(rig.session().takesMore()).isFalse();
    }

    @Test
    void rulesThatTheServerBreaks_areTold() {
        rig.get("/");
        rig.answer(1, true, ":status", "200", "content-length", "5");

        assertThat(rig.streams.getFirst().broken).isEqualTo("body of another length than announced");
    }
}
