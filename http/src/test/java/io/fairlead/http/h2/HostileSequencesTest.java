package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Further sequences of frames, written as {@link FrameScript} says: how each ends, and what was heard of its requests by
 * then.
 */
class HostileSequencesTest {
    private static final String HEAD = ":method=POST;:scheme=https;:path=/";

    @ParameterizedTest
    @CsvSource({
        // RFC 9113 section 3.4: SETTINGS first
        "!1.5.1.828784, GOAWAY 0 PROTOCOL_ERROR, end",
        "!0.0.1.00, GOAWAY 0 PROTOCOL_ERROR, end",
        "!8.0.0.00000001, GOAWAY 0 PROTOCOL_ERROR, end",
        "!2.0.1.0000000300, GOAWAY 0 PROTOCOL_ERROR, end",
        "!7.0.0.0000000000000000, GOAWAY 0 PROTOCOL_ERROR, end",
        "!255.0.0., GOAWAY 0 PROTOCOL_ERROR, end",
        "!4.0.1., GOAWAY 0 PROTOCOL_ERROR, end",
        "!4.0.0.00, GOAWAY 0 FRAME_SIZE_ERROR, end",
        // 4.2: frames beyond SETTINGS_MAX_FRAME_SIZE, before their payload has come
        "X004001000000000001, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "Xffffff000000000001, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "X004001010500000001, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "X004002040000000000, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "X004001ff0000000000, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "B1 X004001000100000001, GOAWAY 1 FRAME_SIZE_ERROR, 'head 0, end'",
        // 6: sizes
        "3.0.1.00, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "B1 3.0.1.0000000800, GOAWAY 1 FRAME_SIZE_ERROR, 'head 0, end'",
        "4.1.0.00, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "4.0.0.00030000000a00, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "6.1.0.00000000000000, GOAWAY 0 FRAME_SIZE_ERROR, end",
        "7.0.0., GOAWAY 0 FRAME_SIZE_ERROR, end",
        "8.0.1., GOAWAY 0 FRAME_SIZE_ERROR, end",
        "2.0.1.000000030000, RST_STREAM 1 FRAME_SIZE_ERROR, ''",
        "1.25.1., GOAWAY 0 FRAME_SIZE_ERROR, end",
        "1.d.1., GOAWAY 0 FRAME_SIZE_ERROR, end",
        "1.2d.1.050000000310, GOAWAY 0 FRAME_SIZE_ERROR, end",
        // 6.1, 6.2: padding of more than there is
        "B1 0.8.1.01, GOAWAY 1 PROTOCOL_ERROR, 'head 0, end'",
        "B1 0.9.1.ff00, GOAWAY 1 PROTOCOL_ERROR, 'head 0, end'",
        "1.d.1.ff828784, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.2d.1.060000000310, GOAWAY 0 PROTOCOL_ERROR, end",
        // 5.1: states
        "B1 0.1.1. 0.0.1.00, RST_STREAM 1 STREAM_CLOSED, 'head 0, body 0, broken 0, closed 0'",
        "B1 0.1.1. 0.1.1., RST_STREAM 1 STREAM_CLOSED, 'head 0, body 0, broken 0, closed 0'",
        "B1 0.1.1. 1.5.1.x=y, RST_STREAM 1 STREAM_CLOSED, 'head 0, body 0, broken 0, closed 0'",
        "B1 1.5.1.x=y 0.0.1.00, RST_STREAM 1 STREAM_CLOSED, 'head 0, body 0, broken 0, closed 0'",
        "R1 R1, RST_STREAM 1 STREAM_CLOSED, 'request 0, broken 0, closed 0'",
        "B1 B1, RST_STREAM 1 PROTOCOL_ERROR, 'head 0, broken 0, closed 0'",
        "R3 0.0.1.00, GOAWAY 3 STREAM_CLOSED, 'request 0, end'",
        "R3 R1, GOAWAY 3 PROTOCOL_ERROR, 'request 0, end'",
        "R1 0.0.3.00, GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "R1 3.0.3.00000008, GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "R1 8.0.3.00000001, GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "3.0.2.00000008, GOAWAY 0 PROTOCOL_ERROR, end",
        "8.0.2.00000001, GOAWAY 0 PROTOCOL_ERROR, end",
        "R1 R2, GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "R2147483647 R1, GOAWAY 2147483647 PROTOCOL_ERROR, 'request 0, end'",
        // 5.1.2: more streams than offered
        "B1 B3 B5 B7, RST_STREAM 7 REFUSED_STREAM, 'head 0, head 1, head 2'",
        // 6.9: windows
        "8.0.0.80000000, GOAWAY 0 PROTOCOL_ERROR, end",
        "8.0.0.7fff0001, GOAWAY 0 FLOW_CONTROL_ERROR, end",
        "8.0.0.7fff0000 8.0.0.00000001, GOAWAY 0 FLOW_CONTROL_ERROR, end",
        "B1 8.0.1.80000000, RST_STREAM 1 PROTOCOL_ERROR, 'head 0, broken 0, closed 0'",
        "B1 8.0.1.7fff0000 8.0.1.00000001, RST_STREAM 1 FLOW_CONTROL_ERROR, 'head 0, broken 0, closed 0'",
        "4.0.0.00047fffffff B1 8.0.1.00000001, RST_STREAM 1 FLOW_CONTROL_ERROR, 'head 0, broken 0, closed 0'",
        "B1 8.0.1.00000001 4.0.0.00047fffffff, GOAWAY 1 FLOW_CONTROL_ERROR, 'head 0, end'",
        // 6.5.2: settings
        "4.0.0.0004ffffffff, GOAWAY 0 FLOW_CONTROL_ERROR, end",
        "4.0.0.000500000000, GOAWAY 0 PROTOCOL_ERROR, end",
        "4.0.0.0005ffffffff, GOAWAY 0 PROTOCOL_ERROR, end",
        "4.0.0.0002ffffffff, GOAWAY 0 PROTOCOL_ERROR, end",
        "4.0.0.000400000001000200000002, GOAWAY 0 PROTOCOL_ERROR, end",
        // 6.10: what a header block is not interrupted by
        "1.1.1.82 0.0.1.00, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 1.5.1.82, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 2.0.1.0000000300, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 3.0.1.00000008, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 4.0.0., GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 5.4.1.00000002, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 7.0.0.0000000000000000, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 8.0.1.00000001, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 9.4.0.84, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.82 9.0.1.87 9.4.3.84, GOAWAY 0 PROTOCOL_ERROR, end",
        "1.1.1.828784 9.4.1. 9.4.1., GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "B1 1.1.1.00 0.0.1.00, GOAWAY 1 PROTOCOL_ERROR, 'head 0, end'",
        "R1 3.0.1.00000008 9.4.1.82, GOAWAY 1 PROTOCOL_ERROR, 'request 0, reset 0, closed 0, end'",
        // 8.4: clients do not push
        "5.4.0.00000002, GOAWAY 0 PROTOCOL_ERROR, end",
        "R1 5.4.1.00000002828784, GOAWAY 1 PROTOCOL_ERROR, 'request 0, end'",
        "5.4.3.00000002, GOAWAY 0 PROTOCOL_ERROR, end",
        // 5.3.1 of RFC 7540
        "1.25.1.000000010f828784, RST_STREAM 1 PROTOCOL_ERROR, ''",
        "1.25.1.800000010f828784, RST_STREAM 1 PROTOCOL_ERROR, ''",
        "2.0.3.8000000300, RST_STREAM 3 PROTOCOL_ERROR, ''",
        // 5.1: a stream that was reset before it began
        "2.0.1.00 R1, RST_STREAM 1 FRAME_SIZE_ERROR, ''",
        "2.0.1.0000000100 B1 0.0.1.00 0.1.1.00 R3, RST_STREAM 1 PROTOCOL_ERROR, request 0",
    })
    void sequence_hasOneEnd(String sequence, String sent, String heard) {
        assertOutcome(sequence, sent, heard);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // RFC 7541 section 5.1: numbers without an end, and beyond all measure
                "1.5.1.ff",
                "1.5.1.ff80",
                "1.5.1.ffffffffff0f",
                "1.5.1.ffffffffffffffffff7f",
                // 5.2: strings of more bytes than there are; Huffman's padding
                "1.5.1.00",
                "1.5.1.000a61",
                "1.5.1.0001610a78",
                "1.5.1.0001617f",
                "1.5.1.00810001610162",
                "1.5.1.0084ffffffff0161",
                "1.5.1.00821fff0161",
                // 2.3.3: indices of nothing
                "1.5.1.82878480",
                "1.5.1.828784be",
                "1.5.1.8287847f000161",
                "1.5.1.8287841f2f0161",
                // 4.2, 6.3: the size of the table
                "1.5.1.8287843fe21f",
                "1.5.1.82878420",
                "1.5.1.3fe21f828784",
                "1.5.1.2020203fffff3f828784",
            })
    void block_thatCannotBeDecoded_endsTheConnection(String sequence) {
        assertOutcome(sequence, "GOAWAY 0 COMPRESSION_ERROR", "end");
    }

    /** Else the tables of both sides would differ from then on. */
    @ParameterizedTest
    @CsvSource({
        "B1 1.5.1.80, 'head 0, end'",
        "R1 1.5.1.80, 'request 0, end'",
        "R1 3.0.1.00000008 1.5.1.80, 'request 0, reset 0, closed 0, end'",
        "R1 1.1.3.82 9.4.3.80, 'request 0, end'",
    })
    void block_thatCannotBeDecoded_endsTheConnection_whateverItIsFor(String sequence, String heard) {
        assertOutcome(sequence, "GOAWAY 1 COMPRESSION_ERROR", heard);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // RFC 9113 section 8.3.1
                ":method=GET;:scheme=https",
                ":method=GET;:path=/",
                ":scheme=https;:path=/",
                ":method=GET;:scheme=https;:path=",
                ":method=GET;:scheme=https;:path=/;:path=/",
                ":method=GET;:method=GET;:scheme=https;:path=/",
                HEAD + ";:authority=a;:authority=a",
                HEAD + ";:status=200",
                HEAD + ";:protocol=websocket",
                HEAD + ";:x=y",
                HEAD + ";x=y;:authority=a",
                // 8.2
                HEAD + ";X=y",
                HEAD + ";x y=z",
                HEAD + ";x%00=y",
                HEAD + ";x%0d%0ay=z",
                HEAD + ";=y",
                // 8.2.2
                HEAD + ";connection=keep-alive",
                HEAD + ";transfer-encoding=chunked",
                HEAD + ";upgrade=h2c",
                HEAD + ";te=chunked",
                // 8.1.1
                HEAD + ";content-length=1",
            })
    void head_thatIsMalformed_isHeardByNobody(String head) {
        assertOutcome("1.5.1." + head, "RST_STREAM 1 PROTOCOL_ERROR", head.endsWith("=1") ? "broken 0, closed 0" : "");
    }

    @ParameterizedTest
    @CsvSource({
        "content-length=2, 0.1.1.00, ''",
        "content-length=2, 0.0.1.00 0.1.1., ', data 1 0'",
        "content-length=2, 0.0.1.00 1.5.1.x=y, ', data 1 0'",
        "content-length=1, 0.0.1.0000, ''",
        "content-length=1, 0.0.1.00 0.0.1.00, ', data 1 0'",
        "content-length=1, 0.1.1., ''",
        "content-length=1, 1.5.1.x=y, ''",
        "content-length=0, 0.1.1.00, ''",
        "content-length=3, 0.9.1.01000000, ''",
        "x=y, 0.0.1.00 1.4.1.x=y, ', data 1 0'",
        "x=y, 1.5.1.:path=/, ''",
        "x=y, 1.5.1.:status=200, ''",
        "x=y, 1.5.1.x=y;:path=/, ''",
        "x=y, 1.5.1.X=y, ''",
        "x=y, 1.5.1.=y, ''",
        "x=y, 1.5.1.connection=close, ''",
        "x=y, 1.5.1.transfer-encoding=chunked, ''",
        "x=y, 1.5.1.te=gzip, ''",
        "x=y, 1.5.1.x=a%00, ''",
        "x=y, 1.5.1.x=a%0d%0ab: c, ''",
        "x=y, 1.5.1.x=a%09, ''",
    })
    void body_orTrailers_againstTheRules_breakTheirRequest(String field, String frames, String heard) {
        assertOutcome(
                "1.4.1." + HEAD + ";" + field + " " + frames,
                "RST_STREAM 1 PROTOCOL_ERROR",
                "head 0" + heard + ", broken 0, closed 0");
    }

    private static void assertOutcome(String sequence, String sent, String heard) {
        FrameScript.Outcome outcome = FrameScript.outcome(sequence);

        assertThat(outcome.sent()).isEqualTo(sent);
        assertThat(outcome.heard()).isEqualTo(heard);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "PRI * HTTP/1.1\r\n\r\nSM\r\n\r\n",
                "pri * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nsm\r\n\r\n",
                "PRI * HTTP/2.0\n\nSM\n\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\n",
                "\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u0000\u0000\u0000\u0004\u0000",
            })
    void preface_ofAnotherProtocol_endsTheConnection_atItsFirstWrongByte(String preface) {
        byte[] bytes = preface.getBytes(StandardCharsets.ISO_8859_1);
        Rig rig = new Rig();
        int right = 0;
        while (bytes[right] == Frame.PREFACE[right]) {
            rig.bytes(new byte[] {bytes[right++]});
        }
        assertThat(rig.events).isEmpty();
        rig.bytes(Arrays.copyOfRange(bytes, right, bytes.length));

        assertThat(rig.events).containsExactly("> GOAWAY 0 PROTOCOL_ERROR", "< end");
        rig.session().closed();
    }

    /** Sequences that look odd, and break no rule. */
    @ParameterizedTest
    @CsvSource({
        // RFC 9113 sections 4.1, 5.5: reserved bits, unknown flags, types and settings
        "R-2147483647, request 0",
        "1.f5.1.0000000000828784, request 0",
        "6.fe.0.0000000000000000, ''",
        "77.ff.5.00, ''",
        "R1 77.0.1.00 10.0.0. 12.0.0. 16.0.0.00000001, request 0",
        "4.0.0.00ff00000000, ''",
        "4.0.0.000800000002, ''",
        // 5.1: frames on streams that are over
        "R1 8.0.1.00000001, request 0",
        "R1 3.0.1.00000008 8.0.1.00000001, 'request 0, reset 0, closed 0'",
        "R1 3.0.1.00000008 3.0.1.00000008, 'request 0, reset 0, closed 0'",
        "R3 3.0.1.00000008 8.0.1.00000001, request 0",
        "R1 2.0.1.0000000300 2.0.9.0000000100 2.0.2.0000000100, request 0",
        // 6: what need not mean anything
        "B1 3.0.1.ffffffff, 'head 0, reset 0, closed 0'",
        "B1 3.0.1.00000000, 'head 0, reset 0, closed 0'",
        "4.1.0., ''",
        "6.1.0.0102030405060708, pong",
        "7.0.0.0000000000000000 R1, request 0",
        "7.0.0.ffffffff0000000061 R1, request 0",
        "4.0.0.000500ffffff000100000000, ''",
        // 6.1, 6.2, 6.10: padding, priority, continuations
        "B1 0.8.1.00 0.9.1.020000, 'head 0, body 0'",
        "B1 0.8.1.01ff00 0.1.1., 'head 0, data 1 0, body 0'",
        "1.d.1.0282878400ff, request 0",
        "1.2d.1.01800000030f82878400, request 0",
        "1.1.1. 9.0.1. 9.0.1.8287 9.4.1.84, request 0",
        "B1 1.1.1.00 9.0.1.0178 9.4.1.0179, 'head 0, body 0'",
        // 6.9: windows that are as large as they can be, or closed
        "8.0.0.7fff0000, ''",
        "B1 8.0.1.7fff0000, head 0",
        "4.0.0.00047fffffff000400000000 R1, request 0",
        // 8.1: bodies as long as announced, with trailers or none
        "1.4.1.:method=POST;:scheme=https;:path=/;content-length=1 0.0.1.00 0.1.1., 'head 0, data 1 0, body 0'",
        "1.4.1.:method=POST;:scheme=https;:path=/;content-length=1 0.0.1.00 1.5.1.x=y, 'head 0, data 1 0, body 0'",
        "B1 1.5.1., 'head 0, body 0'",
        "B1 0.0.1.00 1.5.1.te=trailers, 'head 0, data 1 0, body 0'",
        // RFC 7541 section 6.3
        "1.5.1.203fe11f828784, request 0",
    })
    void oddSequence_isTaken(String sequence, String heard) {
        assertOutcome(sequence, "nothing", heard);
    }
}
