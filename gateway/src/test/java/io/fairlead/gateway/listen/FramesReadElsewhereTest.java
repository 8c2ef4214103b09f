package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random connections of HTTP/2: each request that the front end hands on is the same one to Netty and to Go, with the
 * same body.
 *
 * <p>Others give the connection up, and with it the requests of other streams, where a stream is to be reset: Netty on DATA
 * behind a malformed head ("Malformed requests or responses that are detected MUST be treated as a stream error", RFC
 * 9113 section 8.1.1), Go on a short PRIORITY frame ("A PRIORITY frame with a length other than 5 octets MUST be treated
 * as a stream error", section 6.3) and on a PRIORITY_UPDATE frame of a stream (RFC 9218 section 7.1), which the front end does
 * not know ("Implementations MUST ignore and discard frames of unknown types", RFC 9113 section 4.1). So a request that they
 * miss is read once more, without the other streams and such frames.
 */
@Timeout(value = Fuzzing.MINUTES_MAX, unit = TimeUnit.MINUTES)
class FramesReadElsewhereTest {
    private static final int BATCH = 100;

    @Test
    void requestThatIsHandedOn_isTheSameToNetty() throws Exception {
        compare(
                new Fuzzing("frames, beside Netty"),
                inputs -> inputs.stream().map(NettyReader::http2).toList());
    }

    @Test
    void requestThatIsHandedOn_isTheSameToGo() throws Exception {
        try (GoReader go = GoReader.start()) {
            compare(new Fuzzing("frames, beside Go"), inputs -> go.read('f', inputs));
        }
    }

    private static void compare(Fuzzing fuzzing, Reader reader) throws IOException {
        int taken = 0;
        int all = 0;
        while (fuzzing.goesOn()) {
            List<byte[]> inputs = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) {
                inputs.add(new RandomFrames(fuzzing).connection());
            }
            List<List<String>> theirs = reader.read(inputs);
            for (int i = 0; i < BATCH; i++) {
                List<String> ours = OurReader.http2(inputs.get(i));
                taken += ours.isEmpty() ? 0 : 1;
                all++;
                assertRead(reader, inputs.get(i), ours, theirs.get(i));
            }
        }
        assertThat(taken).isGreaterThan(all / 10);
    }

    /** Streams have no order, so a reader may hand on the later one first. */
    private static void assertRead(Reader reader, byte[] input, List<String> ours, List<String> theirs)
            throws IOException {
        List<String> missing = without(ours, theirs);
        if (!missing.isEmpty()) {
            List<byte[]> alone = RandomFrames.eachStreamAlone(input);
            for (List<String> read : reader.read(alone)) {
                missing = without(missing, read);
            }
        }
        assertThat(missing)
                .as("%s is read as %s", HexFormat.of().formatHex(input), theirs)
                .isEmpty();
    }

    private static List<String> without(List<String> all, List<String> some) {
        List<String> rest = new ArrayList<>(all);
        some.forEach(rest::remove);
        return rest;
    }

    /** What others read in connections. */
    private interface Reader {
        List<List<String>> read(List<byte[]> connections) throws IOException;
    }
}
