package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a server sends and may not, each whole, byte by byte and cut at every boundary, while requests are open on streams 1
 * and 3. A frame is written as type, flags, stream and payload in hexadecimal, or as fields, with
 * control characters in percent-encoding.
 */
class HostileAnswersTest {
    private static final String OK = "1.4.1.:status=200";

    @ParameterizedTest
    @CsvSource({
        // RFC 9113 section 3.4: SETTINGS first
        "!1.5.1.:status=200, GOAWAY 0 PROTOCOL_ERROR",
        "!4.1.0., GOAWAY 0 PROTOCOL_ERROR",
        "!6.0.0.0000000000000000, GOAWAY 0 PROTOCOL_ERROR",
        // 5.1: a server begins no stream
        "1.5.2.:status=200, GOAWAY 0 PROTOCOL_ERROR",
        "1.5.5.:status=200, GOAWAY 0 PROTOCOL_ERROR",
        "0.0.5.00, GOAWAY 0 PROTOCOL_ERROR",
        "0.0.2.00, GOAWAY 0 PROTOCOL_ERROR",
        "3.0.5.00000008, GOAWAY 0 PROTOCOL_ERROR",
        "8.0.5.00000001, GOAWAY 0 PROTOCOL_ERROR",
        "8.0.4.00000001, GOAWAY 0 PROTOCOL_ERROR",
        // 5.1: after the end
        "1.5.1.:status=200 1.5.1.:status=200, GOAWAY 0 STREAM_CLOSED",
        "1.5.1.:status=200 0.0.1.00, GOAWAY 0 STREAM_CLOSED",
        "3.0.1.00000008 0.0.1.00, GOAWAY 0 STREAM_CLOSED",
        // 6.5, 6.6: pushes
        "5.4.1.00000002:status=200, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.0.000200000001, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.0.000200000002, GOAWAY 0 PROTOCOL_ERROR",
        "4.0.0.000480000000, GOAWAY 0 FLOW_CONTROL_ERROR",
        "4.0.0.000500003fff, GOAWAY 0 PROTOCOL_ERROR",
        // 4.2: sizes
        "4.0.0.0003, GOAWAY 0 FRAME_SIZE_ERROR",
        "6.0.0.00, GOAWAY 0 FRAME_SIZE_ERROR",
        "7.0.0.00000001, GOAWAY 0 FRAME_SIZE_ERROR",
        "3.0.1.00, GOAWAY 0 FRAME_SIZE_ERROR",
        // 4.3: header blocks
        "1.1.1.:status=200 0.0.1.00, GOAWAY 0 PROTOCOL_ERROR",
        "1.1.1.:status=200 9.4.3.x=y, GOAWAY 0 PROTOCOL_ERROR",
        "9.4.1.x=y, GOAWAY 0 PROTOCOL_ERROR",
        // RFC 7541: a table that was not offered
        "1.5.1.3fe11f, GOAWAY 0 COMPRESSION_ERROR",
        "1.5.1.be, GOAWAY 0 COMPRESSION_ERROR",
        "1.5.1.80, GOAWAY 0 COMPRESSION_ERROR",
        // 8.1: order
        "0.0.1.00, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=100, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=103 0.0.1.00, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200 1.4.1.x=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200 1.5.1.:status=200, RST_STREAM 1 PROTOCOL_ERROR",
        // 8.3.2: status
        "1.5.1.x=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=20, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=2000, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=+20, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=2x0, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=099, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=600, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;:status=200, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.x=y;:status=200, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;:path=/, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:Status=200, RST_STREAM 1 PROTOCOL_ERROR",
        // 8.2: fields
        "1.5.1.:status=200;X=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;a b=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;x=a%00b, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;x=a%0db, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;x=a%0ab, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;x= a, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;x=a%09, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;connection=close, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;transfer-encoding=chunked, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;keep-alive=5, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;upgrade=h2c, RST_STREAM 1 PROTOCOL_ERROR",
        // 8.1.1: lengths
        "1.5.1.:status=200;content-length=1, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200;content-length=2 0.1.1.00, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200;content-length=1 0.1.1.0000, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200;content-length=1 0.0.1.0000, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=200;content-length=2 0.0.1.00 1.5.1.x=y, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;content-length=0;content-length=1, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;content-length=0;content-length=0, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;content-length=-1, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;content-length=0x0, RST_STREAM 1 PROTOCOL_ERROR",
        "1.5.1.:status=200;content-length=, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=204 0.1.1.00, RST_STREAM 1 PROTOCOL_ERROR",
        "1.4.1.:status=304;content-length=1 0.1.1.00, RST_STREAM 1 PROTOCOL_ERROR",
        // 6.9: windows
        "8.0.0.00000000, GOAWAY 0 PROTOCOL_ERROR",
        "8.0.0.7fffffff, GOAWAY 0 FLOW_CONTROL_ERROR",
        "8.0.1.00000000, RST_STREAM 1 PROTOCOL_ERROR",
        "8.0.1.7fffffff, RST_STREAM 1 FLOW_CONTROL_ERROR",
    })
    void fault_endsTheStreamOrTheConnection(String frames, String expected) {
        byte[] bytes = bytesOf(frames);

        assertThat(endOf(bytes, List.of(bytes.length))).isEqualTo("> " + expected);
        assertThat(endOf(bytes, IntStream.rangeClosed(1, bytes.length).boxed().toList()))
                .as("byte by byte")
                .isEqualTo("> " + expected);
        for (int cut = 1; cut < bytes.length; cut++) {
            assertThat(endOf(bytes, List.of(cut, bytes.length)))
                    .as("cut at %d", cut)
                    .isEqualTo("> " + expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        OK,
        "1.5.1.:status=200;content-length=0",
        "1.4.1.:status=200;content-length=2 0.1.1.0000",
        "1.4.1.:status=200 0.0.1.00 0.1.1.",
        "1.4.1.:status=103;link=x 1.5.1.:status=204",
        "1.5.1.:status=304;content-length=12",
        "1.5.1.:status=599;x=\u00e9",
        "1.5.1.:status=200;x=",
        "1.4.1.:status=200 1.5.1.x=y",
        "4.0.0.000200000000",
        "77.0.0.00",
    })
    void validAnswers_areTaken(String frames) {
        byte[] bytes = bytesOf(frames);

        assertThat(endOf(bytes, IntStream.rangeClosed(1, bytes.length).boxed().toList()))
                .isEqualTo("nothing");
    }

    private static String endOf(byte[] bytes, List<Integer> ends) {
        ClientRig rig = new ClientRig();
        rig.get("/a");
        rig.get("/b");
        int at = 0;
        for (int end : ends) {
            rig.bytes(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        List<String> events = List.copyOf(rig.events);
        rig.session().closed();
        assertOnlyTheFaultIsHeard(events);
        return events.stream()
                .filter(event -> event.startsWith("> GOAWAY") || event.startsWith("> RST_STREAM"))
                .reduce((first, second) -> first + " and " + second)
                .orElse("nothing");
    }

    /** A fault of one answer is told to its caller, in place of an end, and to no other; one of the connection to all. */
    private static void assertOnlyTheFaultIsHeard(List<String> events) {
        assertThat(events).noneMatch(event -> event.startsWith("< ") && event.endsWith(" 1"));
        if (events.stream().anyMatch(event -> event.startsWith("> RST_STREAM 1"))) {
            assertThat(events).contains("< broken 0").doesNotContain("< body 0", "< request 0", "< end");
        }
        boolean isLost = events.stream().anyMatch(event -> event.startsWith("> GOAWAY"));
        assertThat(events.contains("< end")).isEqualTo(isLost);
    }

    private static byte[] bytesOf(String frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean isFirst = frames.startsWith("!");
        if (!isFirst) {
            bytes.writeBytes(PeerScript.frameBytes(Frame.SETTINGS, 0, 0, new byte[0]));
        }
        for (String frame : frames.substring(isFirst ? 1 : 0).split(" (?=\\d)", -1)) {
            bytes.writeBytes(frameOf(frame));
        }
        return bytes.toByteArray();
    }

    private static String decoded(String fields) {
        return fields.replace("%00", "\0")
                .replace("%09", "\t")
                .replace("%0a", "\n")
                .replace("%0d", "\r");
    }

    private static byte[] frameOf(String text) {
        String[] parts = text.split("\\.", 4);
        byte[] payload = parts[3].contains("=")
                ? PeerScript.blockOf(decoded(parts[3]))
                : HexFormat.of().parseHex(parts[3]);
        return PeerScript.frameBytes(
                Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), payload);
    }
}
