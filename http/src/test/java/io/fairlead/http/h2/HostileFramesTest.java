package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.Fields;
import io.fairlead.http.TrackedBuffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sequences of frames that break a rule, written as {@link FrameScript} says, and floods of frames that break none. */
class HostileFramesTest {
    private final Rig rig = Rig.settled();

    @AfterEach
    void closeSession() {
        rig.session().closed();
    }

    @ParameterizedTest
    @CsvSource({
        // RFC 9113 section 3.4: the preface is SETTINGS
        "!6.0.0.0000000000000000, GOAWAY 0 PROTOCOL_ERROR",
        "!4.1.0., GOAWAY 0 PROTOCOL_ERROR",
        // 4.2, 6: sizes
        "6.0.0.00, GOAWAY 0 FRAME_SIZE_ERROR",
        "6.0.0.000000000000000000, GOAWAY 0 FRAME_SIZE_ERROR",
        "4.0.0.0001, GOAWAY 0 FRAME_SIZE_ERROR",
        "4.1.0.000100000000, GOAWAY 0 FRAME_SIZE_ERROR",
        "8.0.0.0000, GOAWAY 0 FRAME_SIZE_ERROR",
        "8.0.0.0000000001, GOAWAY 0 FRAME_SIZE_ERROR",
        "7.0.0.00000000, GOAWAY 0 FRAME_SIZE_ERROR",
        "R1 3.0.1.000000, GOAWAY 1 FRAME_SIZE_ERROR",
        "R1 2.0.1.00000000, RST_STREAM 1 FRAME_SIZE_ERROR",
        "1.25.1.00000000, GOAWAY 0 FRAME_SIZE_ERROR",
        "B1 0.8.1., GOAWAY 1 FRAME_SIZE_ERROR",
        // 5.1: states
        "0.0.1.00, GOAWAY 0 PROTOCOL_ERROR",
        "3.0.1.00000000, GOAWAY 0 PROTOCOL_ERROR",
        "8.0.1.00000001, GOAWAY 0 PROTOCOL_ERROR",
        "0.0.2.00, GOAWAY 0 PROTOCOL_ERROR",
        "R1 0.0.1.00, RST_STREAM 1 STREAM_CLOSED",
        "R1 1.5.1.82, RST_STREAM 1 STREAM_CLOSED",
        "B1 3.0.1.00000008 0.0.1.00, GOAWAY 1 STREAM_CLOSED",
        "B1 3.0.1.00000008 1.5.1.82, GOAWAY 1 STREAM_CLOSED",
        "R5 R3, GOAWAY 5 PROTOCOL_ERROR",
        "R2, GOAWAY 0 PROTOCOL_ERROR",
        // 5.2, 6.9: windows
        "8.0.0.00000000, GOAWAY 0 PROTOCOL_ERROR",
        "B1 8.0.1.00000000, RST_STREAM 1 PROTOCOL_ERROR",
        "8.0.0.7fffffff, GOAWAY 0 FLOW_CONTROL_ERROR",
        "B1 8.0.1.7fffffff, RST_STREAM 1 FLOW_CONTROL_ERROR",
        "B1 8.0.1.7fff0000 4.0.0.0004000fffff, GOAWAY 1 FLOW_CONTROL_ERROR",
        "4.0.0.000480000000, GOAWAY 0 FLOW_CONTROL_ERROR",
        // 5.3: priorities
        "R1 2.0.1.0000000100, RST_STREAM 1 PROTOCOL_ERROR",
        // 6: streams of frames
        "0.0.0.00, GOAWAY 0 PROTOCOL_ERROR",
        "1.5.0.82, GOAWAY 0 PROTOCOL_ERROR",
        "2.0.0.0000000100, GOAWAY 0 PROTOCOL_ERROR",
        "3.0.0.00000000, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.1., GOAWAY 0 PROTOCOL_ERROR",
        "6.0.1.0000000000000000, GOAWAY 0 PROTOCOL_ERROR",
        "7.0.1.0000000000000000, GOAWAY 0 PROTOCOL_ERROR",
        "9.4.0.82, GOAWAY 0 PROTOCOL_ERROR",
        "9.4.1.82, GOAWAY 0 PROTOCOL_ERROR",
        "5.4.1.0000000282, GOAWAY 0 PROTOCOL_ERROR",
        // 6.1, 6.2: padding
        "B1 0.8.1.02ff, GOAWAY 1 PROTOCOL_ERROR",
        "1.d.1.0282, GOAWAY 0 PROTOCOL_ERROR",
        // 6.2, 6.10: header blocks
        "1.1.1.82 6.0.0.0000000000000000, GOAWAY 0 PROTOCOL_ERROR",
        "1.1.1.82 1.5.3.82, GOAWAY 0 PROTOCOL_ERROR",
        "1.1.1.82 9.4.3.82, GOAWAY 0 PROTOCOL_ERROR",
        "1.1.1.82 255.0.1.82, GOAWAY 0 PROTOCOL_ERROR",
        "R1 9.4.1.82, GOAWAY 1 PROTOCOL_ERROR",
        // 6.5.2: settings
        "4.0.0.000200000002, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.0.000500003fff, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.0.000501000000, GOAWAY 0 PROTOCOL_ERROR",
        // RFC 7541
        "1.5.1.80, GOAWAY 0 COMPRESSION_ERROR",
        "1.5.1.be, GOAWAY 0 COMPRESSION_ERROR",
        "1.5.1.40, GOAWAY 0 COMPRESSION_ERROR",
        // 8.1: trailers
        "B1 1.4.1.00017a0179, RST_STREAM 1 PROTOCOL_ERROR",
        "B1 1.5.1.82, RST_STREAM 1 PROTOCOL_ERROR"
    })
    void sequence_hasOneEnd_howeverItIsCut(String sequence, String expected) {
        assertThat(FrameScript.outcome(sequence).sent()).isEqualTo(expected);
    }

    @Test
    void resets_beyondTheirBudget_endTheConnection() {
        for (int stream = 1; stream <= 11; stream += 2) {
            rig.bytes(FrameScript.frame("B" + stream));
            rig.bytes(FrameScript.frame("3.0." + stream + ".00000008"));
        }

        assertThat(rig.events).contains("< flood RESETS").last().isEqualTo("< end");
        assertThat(rig.events).filteredOn(event -> event.startsWith("< reset")).hasSize(5);
    }

    @Test
    void resets_ofALaterWindow_areCountedAnew() {
        for (int stream = 1; stream <= 99; stream += 2) {
            rig.bytes(FrameScript.frame("B" + stream));
            rig.bytes(FrameScript.frame("3.0." + stream + ".00000008"));
            rig.later(Rig.LIMITS.windowNanos() / 4);
        }

        assertThat(rig.events).noneMatch(event -> event.startsWith("< flood"));
    }

    @Test
    void emptyDataFrames_inARow_endTheConnection() {
        rig.bytes(FrameScript.frame("B1"));
        for (int i = 0; i < 10; i++) {
            rig.bytes(FrameScript.frame("0.0.1."));
            rig.bytes(FrameScript.frame("0.0.1.00"));
        }
        assertThat(rig.events).noneMatch(event -> event.startsWith("< flood"));
        for (int i = 0; i < 4; i++) {
            rig.bytes(FrameScript.frame("0.0.1."));
        }

        assertThat(rig.events).contains("< flood EMPTY_FRAMES").last().isEqualTo("< end");
    }

    @Test
    void continuations_ofOneHead_endTheConnection() {
        rig.bytes(FrameScript.frame("1.1.1.82"));
        for (int i = 0; i < 5; i++) {
            rig.bytes(FrameScript.frame("9.0.1."));
        }

        assertThat(rig.events).contains("< flood CONTINUATIONS").last().isEqualTo("< end");
    }

    @Test
    void windowUpdates_ofAClientThatReads_costNothing() {
        rig.bytes(FrameScript.frame("R1"));
        rig.session().answer(rig.streams.getFirst(), 200, Fields.EMPTY, false);
        rig.session().data(rig.streams.getFirst(), TrackedBuffers.of(new byte[60 * 1024]));
        rig.flush();
        for (int i = 0; i < 60; i++) {
            rig.bytes(FrameScript.frame("8.0.0.00000400"));
        }

        assertThat(rig.events).noneMatch(event -> event.startsWith("< flood"));
    }

    @ParameterizedTest
    @CsvSource({
        "4.0.0., 21, CONTROL_FRAMES",
        "6.0.0.0000000000000000, 21, CONTROL_FRAMES",
        "2.0.1.0000000300, 21, CONTROL_FRAMES",
        "7.0.0.0000000000000000, 21, CONTROL_FRAMES",
        "8.0.0.00000001, 27, CONTROL_FRAMES",
        "77.0.0.00, 21, CONTROL_FRAMES"
    })
    void framesThatCostNothing_endTheConnection_beyondTheirBudget(String frame, int count, Flood flood) {
        for (int i = 1; i < count - 1; i++) {
            rig.bytes(FrameScript.frame(frame));
        }
        assertThat(rig.events).doesNotContain("< flood " + flood);
        rig.bytes(FrameScript.frame(frame));

        assertThat(rig.events).containsOnlyOnce("< flood " + flood).endsWith("> GOAWAY 0 ENHANCE_YOUR_CALM", "< end");
    }

    /** However slowly they come: answers to them wait outside all windows. */
    @ParameterizedTest
    @CsvSource({"4.0.0.", "6.0.0.0000000000000000", "2.0.1.00"})
    void framesToBeAnswered_endTheConnectionOfAPeerThatDoesNotRead(String frame) {
        for (int i = 0; i < 2_000; i++) {
            answered(frame);
        }
        rig.isWritable = false;
        for (int i = 0; i < 1_000; i++) {
            answered(frame);
        }
        assertThat(rig.events).noneMatch(event -> event.startsWith("< flood"));
        answered(frame);

        assertThat(rig.events).containsOnlyOnce("< flood CONTROL_FRAMES").last().isEqualTo("< end");
    }

    private void answered(String frame) {
        rig.later(1_000_000_000L);
        rig.bytes(FrameScript.frame(frame));
    }
}
