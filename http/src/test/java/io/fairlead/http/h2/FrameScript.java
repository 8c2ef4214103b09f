package io.fairlead.http.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Sequences of frames as text. A frame is written as type, flags (in hexadecimal), stream and payload, which is
 * hexadecimal or fields with control characters in percent-encoding; {@code R} and {@code B} are valid requests without
 * and with a body, {@code X} is bytes. An exclamation mark stands for a client that does not begin with SETTINGS.
 */
final class FrameScript {
    private static final String REQUEST = "828784";

    private FrameScript() {}

    /** What a server makes of a sequence; the same, whether that comes whole, byte by byte or in two pieces. */
    static Outcome outcome(String sequence) {
        byte[] bytes = bytes(sequence);
        Outcome whole = outcome(bytes, List.of(bytes.length));
        assertThat(outcome(bytes, IntStream.rangeClosed(1, bytes.length).boxed().toList()))
                .as("byte by byte")
                .isEqualTo(whole);
        for (int cut = 1; cut < bytes.length; cut++) {
            assertThat(outcome(bytes, List.of(cut, bytes.length)))
                    .as("cut at %d", cut)
                    .isEqualTo(whole);
        }
        return whole;
    }

    private static Outcome outcome(byte[] bytes, List<Integer> ends) {
        Rig rig = new Rig();
        int at = 0;
        for (int end : ends) {
            rig.bytes(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        Outcome outcome = Outcome.of(rig.events);
        rig.session().closed();
        return outcome;
    }

    private static byte[] bytes(String sequence) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean unsettled = sequence.startsWith("!");
        bytes.writeBytes(Frame.PREFACE);
        if (!unsettled) {
            bytes.writeBytes(Rig.frameBytes(Frame.SETTINGS, 0, 0, new byte[0]));
        }
        for (String frame : (unsettled ? sequence.substring(1) : sequence).split(" (?=[RBX\\d])", -1)) {
            bytes.writeBytes(frame(frame));
        }
        return bytes.toByteArray();
    }

    /** The bytes of one frame. */
    static byte[] frame(String text) {
        String rest = text.substring(1);
        return switch (text.charAt(0)) {
            case 'R' -> request(rest, Frame.END_STREAM);
            case 'B' -> request(rest, 0);
            case 'X' -> hex(rest);
            default -> {
                String[] parts = text.split("\\.", 4);
                yield Rig.frameBytes(
                        Integer.parseInt(parts[0]),
                        Integer.parseInt(parts[1], 16),
                        Integer.parseInt(parts[2]),
                        parts[3].contains("=") ? Rig.blockOf(decoded(parts[3])) : hex(parts[3]));
            }
        };
    }

    private static byte[] request(String stream, int endStream) {
        return Rig.frameBytes(Frame.HEADERS, Frame.END_HEADERS | endStream, Integer.parseInt(stream), hex(REQUEST));
    }

    private static String decoded(String fields) {
        return fields.replace("%00", "\0")
                .replace("%09", "\t")
                .replace("%0a", "\n")
                .replace("%0d", "\r");
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    /**
     * What came of a sequence.
     *
     * @param sent the frames that end a stream or the connection; "nothing" if there are none
     * @param heard what the owner of the session heard of requests
     */
    record Outcome(String sent, String heard) {
        private static Outcome of(List<String> events) {
            String sent = events.stream()
                    .filter(event -> event.startsWith("> GOAWAY") || event.startsWith("> RST_STREAM"))
                    .map(event -> event.substring(2))
                    .collect(Collectors.joining(" and "));
            String heard = events.stream()
                    .filter(event -> event.startsWith("< "))
                    .map(event -> event.substring(2))
                    .collect(Collectors.joining(", "));
            return new Outcome(sent.isEmpty() ? "nothing" : sent, heard);
        }
    }
}
